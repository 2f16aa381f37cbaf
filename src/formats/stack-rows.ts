import { jsonObject, JsonNumber, type Json, type JsonObject } from "../core/json.ts";
import type { Run } from "../core/run.ts";
import { plainName, type SampleLabels, type StackFrame, type StackProfile, type ValueType } from "../core/stack-profile.ts";
import { sourceBelow } from "./call-trace.ts";
import { profileOf, type Subject } from "./profile-of.ts";
import type { ProfileType } from "./profile-regions.ts";

/** The words of other programs for our units. */
const units: ReadonlyMap<string, string> = new Map([
  ["nanoseconds", "ns"],
  ["microseconds", "us"],
  ["milliseconds", "ms"],
  ["seconds", "s"],
  ["bytes", "B"],
  ["kilobytes", "kB"],
  ["megabytes", "MB"],
]);

const times = new Set(["ns", "us", "ms", "s"]);

/** What rows of profiles have besides; labels and values of these names are told apart by what stands before them. */
const taken = new Set(["amount", "exclusive", "order", "snapshot", "subtype", "trace", "type", "uid"]);

/**
 * The run of samples of stacks that another program took: a row for each stack and labels. `amount` is the type that is meant, all others are columns of their
 * name; `subtype` is the name of the former. `uid` is the innermost call, and sources below `directory` are told relative to it.
 */
export function stackRun(profile: StackProfile, format: string, directory: string): Run {
  const { types, main, facts } = profile;
  const type = typeOf(types[main]!);
  const columns = types.map((each, at) => ({ name: at === main ? "amount" : columnName(each.name, at, types), unit: unitOf(each) }));
  const rows = new StackRows(profile, directory, type);
  const told = columns.map(({ name, unit }, at) => [at === main ? type : `${type}(${name})`, unit] as const);
  // The unit of amounts is the first, as readers of profiles expect it.
  const ofAmounts = told.toSorted((a, b) => Number(b[0] === type) - Number(a[0] === type));
  return profileOf({
    type,
    cmd: facts.command ?? "",
    workload: "",
    units: Object.fromEntries(ofAmounts),
    collector: { name: format, params: paramsOf(profile) },
    subjects: rows.subjects(columns.map(({ name }) => name)),
  });
}

function paramsOf({ facts }: StackProfile): JsonObject {
  const { name, period, started } = facts;
  return jsonObject({
    ...(name === undefined ? {} : { name }),
    ...(period === undefined ? {} : { period: JsonNumber.float(period.value), "period-type": `${period.type.name}/${period.type.unit}` }),
    ...(started === undefined ? {} : { started: String(started) }),
  });
}

function typeOf(type: ValueType): ProfileType {
  const unit = unitOf(type);
  if (times.has(unit) || unit === "sample") return "time";
  return unit.endsWith("B") ? "memory" : "mixed";
}

function unitOf({ name, unit }: ValueType): string {
  if (/^samples?$/.test(name) && unit === "count") return "sample";
  return units.get(unit) ?? "1";
}

/** Types of one name are told apart by their units, or at last by their places. */
function columnName(name: string, at: number, types: readonly ValueType[]): string {
  const alike = types.filter((each) => each.name === name).length > 1;
  const word = alike ? `${name}-${types[at]!.unit}-${at}` : name;
  return taken.has(word) || word === "" ? `value-${word || at}` : word;
}

/** Rows that look the same are one, whatever the addresses of their stacks. */
class StackRows {
  readonly #profile: StackProfile;
  readonly #directory: string;
  readonly #type: ProfileType;
  readonly #frames: readonly JsonObject[];
  readonly #frameNumbers: readonly number[];

  constructor(profile: StackProfile, directory: string, type: ProfileType) {
    this.#profile = profile;
    this.#directory = directory;
    this.#type = type;
    this.#frames = profile.stacks.frames.map((frame) => this.#frameJson(frame));
    const byText = new Map<string, number>();
    this.#frameNumbers = this.#frames.map((frame, at) => {
      const text = JSON.stringify([...frame].map(([key, json]) => [key, json instanceof JsonNumber ? json.text : json]));
      byText.set(text, byText.get(text) ?? at);
      return byText.get(text)!;
    });
  }

  subjects(columns: readonly string[]): Subject[] {
    const { samples, types, main } = this.#profile;
    const rows = new Map<string, { readonly properties: JsonObject; readonly values: number[] }>();
    for (let row = 0; row < samples.length; row++) {
      const values = types.map((_, type) => samples.valueOf(row, type));
      if (values.every((value) => value === 0)) continue;
      const calls = this.#callsOf(samples.stackOf(row));
      const labels = labelsJson(samples.labelsOf(row));
      const key = `${calls.join(" ")} ${labels.length === 0 ? "" : JSON.stringify(labels)}`;
      const known = rows.get(key);
      if (known === undefined) rows.set(key, { properties: this.#properties(calls, labels, types[main]!), values });
      else values.forEach((value, type) => (known.values[type]! += value));
    }
    return [...rows.values()].map(({ properties, values }) => ({ properties, columns: columnsOf(columns, values, main) }));
  }

  /** Frames of a stack that look different, inner first. */
  #callsOf(stack: number): number[] {
    const { stacks } = this.#profile;
    const calls: number[] = [];
    for (let node = stack; node > 0; node = stacks.callerOf(node)) calls.push(this.#frameNumbers[stacks.callOf(node)]!);
    return calls;
  }

  #properties(calls: readonly number[], labels: readonly (readonly [string, string])[], type: ValueType): JsonObject {
    const trace = calls.map((call) => this.#frames[call]!);
    return jsonObject({
      ...Object.fromEntries(labels),
      subtype: type.name,
      trace,
      type: this.#type,
      uid: trace[0] === undefined ? "[unknown]" : uidOf(trace[0]),
    });
  }

  #frameJson(frame: StackFrame): JsonObject {
    const source = frame.source === undefined ? undefined : sourceBelow(this.#directory, frame.source);
    const path = frame.module?.path ?? "";
    const module = path.startsWith("[") ? path : path.slice(path.lastIndexOf("/") + 1);
    return jsonObject({
      function: frame.function === "" ? plainName(frame) : frame.function,
      ...(module === "" ? {} : { module }),
      ...(source === undefined ? {} : { source, line: JsonNumber.integer(frame.line ?? 0) }),
    });
  }
}

/** Lines move from version to version, so a function goes by its name. */
function uidOf(frame: JsonObject): Json {
  const [name, source] = [frame.get("function")!, frame.get("source")];
  return source === undefined ? name : jsonObject({ function: name, source });
}

function labelsJson(labels: SampleLabels): (readonly [string, string])[] {
  return [...labels].map(([name, contents]) => {
    const texts = contents.map((content) =>
      typeof content === "string" ? content : `${content.value}${content.unit === "" ? "" : ` ${content.unit}`}`,
    );
    return [taken.has(name) ? `label-${name}` : name, texts.join(", ")];
  });
}

/** The column that the seed's programs look for comes first. */
function columnsOf(names: readonly string[], values: readonly number[], main: number): Subject["columns"] {
  const order = [main, ...names.keys()].filter((at, place) => place === 0 || at !== main);
  return order.map((at) => ({ name: names[at]!, type: Number.isSafeInteger(values[at]) ? "integer" : "float", values: [values[at]!] }));
}
