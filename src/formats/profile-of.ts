import { JsonNumber, type Json, type JsonObject } from "../core/json.ts";
import type { Run } from "../core/run.ts";
import { printJson } from "./json.ts";
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
  const { type, cmd, workload, collector, machine } = description;
  const ids = idsOf(description.subjects);
  const document = new Map<string, Json>([
    ["resources", new Map(description.subjects.map((subject, i) => [ids[i]!, columnsOf(subject)]))],
    ["resource_type_map", new Map(description.subjects.map(({ properties }, i) => [ids[i]!, properties]))],
    ["models", []],
    [
      "header",
      new Map<string, Json>([
        ["type", type],
        ["cmd", cmd],
        ["workload", workload],
        ["units", new Map(Object.entries(description.units))],
      ]),
    ],
    ...(machine ? [["machine", machine] as const] : []),
    [
      "collector_info",
      new Map<string, Json>([
        ["name", collector.name],
        ["params", collector.params],
      ]),
    ],
    ["postprocessors", []],
  ]);
  return decodeProfile(printJson(document), collector.name);
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

function columnsOf({ columns }: Subject): JsonObject {
  return new Map(
    columns.map(({ name, type, values }) => [
      name,
      Array.from(values, (value) => (type === "integer" ? JsonNumber.integer(value) : JsonNumber.float(value))),
    ]),
  );
}
