import { floatText, jsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { Run } from "../core/run.ts";
import { ByteWriter } from "./byte-writer.ts";
import { quoted } from "./json-string.ts";
import { writeJson } from "./json.ts";
import { decodeProfile } from "./profile.ts";
import type { ProfileType } from "./profile-regions.ts";
import { flatText } from "../core/flatten.ts";

/** Resources that share their properties (uid, type, subtype, …), with a list of numbers for each column; all lists are equally long. */
export interface Subject {
  readonly properties: JsonObject;
  readonly columns: readonly { readonly name: string; readonly type: "integer" | "float"; readonly values: ArrayLike<number> }[];
}

/** What a collector says of a measurement. */
export interface ProfileDescription {
  readonly type: ProfileType;
  readonly cmd: string;
  readonly workload: string;
  /** Units of amounts by profile type: `{ time: "s" }`, or by `type(subtype)`. */
  readonly units: Readonly<Record<string, string>>;
  readonly collector: { readonly name: string; readonly params: Json };
  readonly machine?: JsonObject;
  readonly subjects: readonly Subject[];
}

/** The run of a new profile, just as if it had been read. */
export function profileOf(description: ProfileDescription): Run {
  const { type, cmd, workload, units, collector, machine, subjects } = description;
  const writer = new ByteWriter(1 << 16);
  const ids = idsOf(subjects).map(quoted);
  writer.ascii('{"resources": {');
  subjects.forEach((subject, at) => writeColumns(subject, `${at > 0 ? ", " : ""}${ids[at]}`, writer));
  writer.ascii('}, "resource_type_map": {');
  subjects.forEach(({ properties }, at) => writeMember(`${at > 0 ? ", " : ""}${ids[at]}`, properties, writer));
  writer.ascii("}");
  const header = jsonObject({ type, cmd, workload, units: new Map(Object.entries(units)) });
  const regions: Record<string, Json> = { models: [], header, ...(machine ? { machine } : {}) };
  const steps = { collector_info: jsonObject({ name: collector.name, params: collector.params }), postprocessors: [] };
  for (const [name, region] of Object.entries({ ...regions, ...steps })) writeMember(`, "${name}"`, region, writer);
  writer.ascii("}");
  return decodeProfile(writer.written(), collector.name);
}

function idsOf(subjects: readonly Subject[]): string[] {
  const counters = new Map<string, number>();
  return subjects.map(({ properties }) => {
    const stem = flatText(properties.get("uid") ?? "");
    const number = counters.get(stem) ?? 0;
    counters.set(stem, number + 1);
    return `${stem}#${number}`;
  });
}

function writeMember(key: string, json: Json, writer: ByteWriter): void {
  writer.ascii(`${key}: `);
  writeJson(json, writer);
}

/** Numbers are the most of a profile, so they are written as they are: a million of them as values of JSON would take seconds. */
function writeColumns({ columns }: Subject, key: string, writer: ByteWriter): void {
  writer.ascii(`${key}: {`);
  for (const [at, { name, type, values }] of columns.entries()) {
    writer.ascii(`${at > 0 ? ", " : ""}${quoted(name)}: [`);
    for (let row = 0; row < values.length; row++) {
      if (row > 0) writer.separator();
      writer.ascii(type === "float" ? floatText(values[row]!) : integerText(values[row]!));
    }
    writer.ascii("]");
  }
  writer.ascii("}");
}

/** Fails with RangeError on a fraction, which would be a bug of the caller. */
function integerText(value: number): string {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : BigInt(value).toString();
}
