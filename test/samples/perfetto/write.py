"""Writes planted.pftrace: python write.py OUTPUT. The fields are those of protos/perfetto/trace of Perfetto."""
import sys, zlib
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
F = descriptor_pb2.FieldDescriptorProto
KINDS = {'u': F.TYPE_UINT64, 'i': F.TYPE_INT64, 'u32': F.TYPE_UINT32, 'i32': F.TYPE_INT32, 's': F.TYPE_STRING, 'b': F.TYPE_BYTES, 'bool': F.TYPE_BOOL}
MESSAGES = {
  'Trace': {'packet': (1, '*TracePacket')},
  'TracePacket': {'process_tree': (2, 'ProcessTree'), 'trusted_uid': (3, 'i32'), 'clock_snapshot': (6, 'ClockSnapshot'), 'timestamp': (8, 'u'),
    'trusted_packet_sequence_id': (10, 'u32'), 'track_event': (11, 'TrackEvent'), 'interned_data': (12, 'InternedData'), 'sequence_flags': (13, 'u32'),
    'compressed_packets': (50, 'b'), 'streaming_profile_packet': (54, 'StreamingProfilePacket'), 'timestamp_clock_id': (58, 'u32'),
    'trace_packet_defaults': (59, 'TracePacketDefaults'), 'track_descriptor': (60, 'TrackDescriptor'), 'perf_sample': (66, 'PerfSample')},
  'ProcessTree': {'processes': (1, '*Process'), 'threads': (2, '*Thread')},
  'Process': {'pid': (1, 'i32'), 'ppid': (2, 'i32'), 'cmdline': (3, '*s')},
  'Thread': {'tid': (1, 'i32'), 'name': (2, 's'), 'tgid': (3, 'i32')},
  'ClockSnapshot': {'clocks': (1, '*Clock')},
  'Clock': {'clock_id': (1, 'u32'), 'timestamp': (2, 'u'), 'is_incremental': (3, 'bool'), 'unit_multiplier_ns': (4, 'u')},
  'TracePacketDefaults': {'track_event_defaults': (11, 'TrackEventDefaults'), 'timestamp_clock_id': (58, 'u32')},
  'TrackEventDefaults': {'track_uuid': (11, 'u')},
  'TrackEvent': {'category_iids': (3, '*u'), 'type': (9, 'i32'), 'name_iid': (10, 'u'), 'track_uuid': (11, 'u'), 'categories': (22, '*s'), 'name': (23, 's')},
  'TrackDescriptor': {'uuid': (1, 'u'), 'name': (2, 's'), 'process': (3, 'ProcessDescriptor'), 'thread': (4, 'ThreadDescriptor'), 'parent_uuid': (5, 'u')},
  'ProcessDescriptor': {'pid': (1, 'i32'), 'process_name': (6, 's')},
  'ThreadDescriptor': {'pid': (1, 'i32'), 'tid': (2, 'i32'), 'thread_name': (5, 's')},
  'InternedData': {'event_names': (2, '*EventName'), 'function_names': (5, '*InternedString'), 'frames': (6, '*Frame'), 'callstacks': (7, '*Callstack'),
    'mapping_paths': (17, '*InternedString'), 'mappings': (19, '*Mapping')},
  'EventName': {'iid': (1, 'u'), 'name': (2, 's')}, 'InternedString': {'iid': (1, 'u'), 'str': (2, 'b')},
  'Frame': {'iid': (1, 'u'), 'function_name_id': (2, 'u'), 'mapping_id': (3, 'u'), 'rel_pc': (4, 'u')},
  'Callstack': {'iid': (1, 'u'), 'frame_ids': (2, '*u')}, 'Mapping': {'iid': (1, 'u'), 'path_string_ids': (7, '*u')},
  'StreamingProfilePacket': {'callstack_iid': (1, '*u'), 'timestamp_delta_us': (2, '*i')},
  'PerfSample': {'cpu': (1, 'u32'), 'pid': (2, 'u32'), 'tid': (3, 'u32'), 'callstack_iid': (4, 'u'), 'cpu_mode': (5, 'i32')},
}
file = descriptor_pb2.FileDescriptorProto(name='p.proto', package='p', syntax='proto2')
for name, fields in MESSAGES.items():
    message = file.message_type.add(name=name)
    for field, (number, kind) in fields.items():
        plain = kind.lstrip('*')
        f = message.field.add(name=field, number=number, label=F.LABEL_REPEATED if kind[0] == '*' else F.LABEL_OPTIONAL, type=KINDS.get(plain, F.TYPE_MESSAGE))
        if plain not in KINDS: f.type_name = '.p.' + plain
pool = descriptor_pool.DescriptorPool(); pool.Add(file)
Trace = message_factory.GetMessageClass(pool.FindMessageTypeByName('p.Trace'))
trace = Trace()
def packet(to=None, **fields):
    p = (trace if to is None else to).packet.add(trusted_uid=1000)
    for key, value in fields.items(): setattr(p, key, value)
    return p
p = packet(); tree = p.process_tree
tree.processes.add(pid=70, cmdline=['/opt/planted/planted', 'x']); tree.threads.add(tid=72, name='worker', tgid=70)
p = packet(trusted_packet_sequence_id=2, sequence_flags=1)
p.trace_packet_defaults.timestamp_clock_id = 64; p.trace_packet_defaults.track_event_defaults.track_uuid = 11
p.clock_snapshot.clocks.add(clock_id=6, timestamp=5_000_000); p.clock_snapshot.clocks.add(clock_id=64, timestamp=0, is_incremental=True, unit_multiplier_ns=1000)
p = packet(trusted_packet_sequence_id=2); p.track_descriptor.uuid = 10; p.track_descriptor.process.pid = 70; p.track_descriptor.process.process_name = 'planted'
p = packet(trusted_packet_sequence_id=2); p.track_descriptor.uuid = 11; p.track_descriptor.parent_uuid = 10; p.track_descriptor.thread.pid = 70; p.track_descriptor.thread.tid = 70; p.track_descriptor.thread.thread_name = 'main'
def slice_(delta, kind, iid=None, name=None, new=None, track=None, to=None):
    p = packet(to, trusted_packet_sequence_id=2, sequence_flags=2, timestamp=delta); p.track_event.type = kind
    if new: p.interned_data.event_names.add(iid=iid, name=new)
    if iid: p.track_event.name_iid = iid
    if name: p.track_event.name = name
    if track: p.track_event.track_uuid = track
for turn in range(10):
    slice_(100, 1, 1, new='outer' if turn == 0 else None); slice_(10, 1, 2, new='inner' if turn == 0 else None); slice_(60, 2); slice_(5, 1, name='side'); slice_(20, 2); slice_(5, 2)
packed = Trace()
p = packed.packet.add(trusted_packet_sequence_id=2); p.track_descriptor.uuid = 12; p.track_descriptor.parent_uuid = 10; p.track_descriptor.name = 'requests'
slice_(0, 1, name='request', track=12, to=packed); slice_(40, 2, track=12, to=packed)
packet(compressed_packets=zlib.compress(packed.SerializeToString()))
p = packet(trusted_packet_sequence_id=3, sequence_flags=1); d = p.interned_data
for at, name in enumerate(['main', 'outer', 'inner'], 1): d.function_names.add(iid=at, str=name.encode())
for at, part in enumerate(['opt', 'planted', 'planted'], 1): d.mapping_paths.add(iid=at, str=part.encode())
d.mappings.add(iid=1, path_string_ids=[1, 2, 3])
for at in (1, 2, 3): d.frames.add(iid=at, function_name_id=at, mapping_id=1, rel_pc=at * 16)
d.frames.add(iid=4, mapping_id=1, rel_pc=0x1999)
d.callstacks.add(iid=1, frame_ids=[1, 2, 3]); d.callstacks.add(iid=2, frame_ids=[1, 4])
for at in range(7):
    p = packet(trusted_packet_sequence_id=3, sequence_flags=2, timestamp=6_000_000 + at); p.perf_sample.pid = 70; p.perf_sample.tid = 72; p.perf_sample.callstack_iid = 2 if at > 4 else 1
p = packet(trusted_packet_sequence_id=3, sequence_flags=2); p.streaming_profile_packet.callstack_iid.extend([1, 1, 2]); p.streaming_profile_packet.timestamp_delta_us.extend([1, 1, 1])
p = packet(trusted_packet_sequence_id=4, sequence_flags=2, timestamp=1); p.track_event.type = 1; p.track_event.name_iid = 9
open(sys.argv[1], 'wb').write(trace.SerializeToString())
