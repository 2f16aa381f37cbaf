import sys
from google.protobuf import json_format
from opentelemetry.proto.profiles.v1development import profiles_pb2 as p
data=p.ProfilesData(); d=data.dictionary
strings={'':0}; d.string_table.append('')
def s(t):
    if t not in strings: strings[t]=len(strings); d.string_table.append(t)
    return strings[t]
d.mapping_table.add(); d.location_table.add(); d.function_table.add(); d.link_table.add(); d.attribute_table.add(); d.stack_table.add()
a=d.attribute_table.add(); a.key_strindex=s('process.executable.build_id.gnu'); a.value.string_value='68ae23fa'
a=d.attribute_table.add(); a.key_strindex=s('thread.name'); a.value.string_value='worker'
m=d.mapping_table.add(); m.memory_start=0x401000; m.memory_limit=0x402000; m.file_offset=0x1000; m.filename_strindex=s('/opt/planted/planted'); m.attribute_indices.append(1)
locs={}
def loc(name,line,inl=None):
    k=(name,line,inl)
    if k in locs: return locs[k]
    l=d.location_table.add(); l.mapping_index=1; l.address=0x401000+len(locs)*16
    for n in ([inl] if inl else [])+[name]:
        f=d.function_table.add(); f.name_strindex=s(n); f.filename_strindex=s('planted.c'); f.start_line=3
        x=l.lines.add(); x.function_index=len(d.function_table)-1; x.line=line
    locs[k]=len(d.location_table)-1; return locs[k]
def stack(*fr):
    t=d.stack_table.add(); t.location_indices.extend(fr); return len(d.stack_table)-1
A=stack(loc('inner',5),loc('outer',14),loc('_start',32)); B=stack(loc('side',8),loc('outer',15),loc('_start',32)); C=stack(loc('outer',16,'inlined'),loc('_start',32))
l=d.location_table.add(); l.mapping_index=1; l.address=0x401999; U=stack(len(d.location_table)-1)
rp=data.resource_profiles.add(); r=rp.resource.attributes.add(); r.key='service.name'; r.value.string_value='planted'
sp=rp.scope_profiles.add(); sp.scope.name='made'
c=sp.profiles.add(); c.sample_type.type_strindex=s('cpu'); c.sample_type.unit_strindex=s('nanoseconds'); c.time_unix_nano=1764300000000000000; c.duration_nano=2000000000; c.period=10000000; c.period_type.type_strindex=s('cpu'); c.period_type.unit_strindex=s('nanoseconds')
for st,v,at in((A,430,[2]),(B,310,[2]),(C,20,[]),(U,10,[])):
    x=c.samples.add(); x.stack_index=st; x.values.append(v*1000000); x.attribute_indices.extend(at)
w=sp.profiles.add(); w.sample_type.type_strindex=s('samples'); w.sample_type.unit_strindex=s('count'); w.time_unix_nano=c.time_unix_nano
for st,n in((A,3),(B,2)):
    x=w.samples.add(); x.stack_index=st; x.timestamps_unix_nano.extend([c.time_unix_nano+i for i in range(n)])
open(sys.argv[1]+'.pb','wb').write(data.SerializeToString())
open(sys.argv[1]+'.json','w').write(json_format.MessageToJson(data,indent=1))
