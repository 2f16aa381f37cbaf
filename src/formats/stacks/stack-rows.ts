import { jsonObject, JsonNumber, type Json, type JsonObject } from "../../core/values/index.ts";
import {
  type Run,
  PairTable,
  boundedTimeline,
  plainName,
  type SampleLabels,
  type StackFrame,
  type StackProfile,
  type ValueType,
  StackTable,
  timelineJson,
} from "../../core/profiles/index.ts";
import { relativeSource } from "../traces/index.ts";
import { profileOf, type Subject, type ProfileType } from "../profile/index.ts";

/** Unit symbols by the unit names of other programs. */
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

/** Names with a fixed meaning in profile rows; labels and values with these names get a prefix. */
const reservedNames = new Set(["amount", "exclusive", "order", "snapshot", "subtype", "trace", "type", "uid"]);

/**
 * Converts stack samples of another program to a run with a row per stack and labels. `amount` is the main type, whose
 * name is `subtype`; other types become columns. `uid` is the innermost call. Sources below `directory` become
 * relative.
 */
export function stackRun(profile: StackProfile, format: string, directory: string): Run {
  const { types, main, facts } = profile;
  const type = typeOf(types[main]!);
  const columns = columnsNamed(types, main);
  const rows = new StackRows(profile, directory, type);
  const entries = columns.map(({ name, unit }, at) => [at === main ? type : `${type}(${name})`, unit] as const);
  // Readers of profiles expect the unit of amounts first.
  const columnUnits = entries.toSorted((a, b) => Number(b[0] === type) - Number(a[0] === type));
  const run = profileOf({
    type,
    cmd: facts.command ?? "",
    workload: "",
    units: Object.fromEntries(columnUnits),
    collector: { name: format, params: paramsOf(profile) },
    subjects: rows.subjects(columns.map(({ name }) => name)),
  });
  if (profile.timeline === undefined) return run;
  const timeline = boundedTimeline(profile.timeline, maxIntervals);
  return { ...run, extra: new Map([...run.extra, ["timeline", timelineJson({ stacks: profile.stacks, timeline })]]) };
}

/** Most stored intervals of a timeline: about 2 MB before compression. */
const maxIntervals = 200_000;

function paramsOf({ facts }: StackProfile): JsonObject {
  const { name, period, started, estimated } = facts;
  return jsonObject({
    ...(name === undefined ? {} : { name }),
    ...(period === undefined
      ? {}
      : { period: JsonNumber.float(period.value), "period-type": `${period.type.name}/${period.type.unit}` }),
    ...(started === undefined ? {} : { started: String(started) }),
    ...(estimated === true ? { stacks: "estimated" } : {}),
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

function columnsNamed(types: readonly ValueType[], main: number): { readonly name: string; readonly unit: string }[] {
  const used = new Set<string>();
  return types.map((each, at) => {
    const word = at === main ? "amount" : columnName(each.name, at, types);
    const name = used.has(word) ? `${word}-${at}` : word;
    used.add(name);
    return { name, unit: unitOf(each) };
  });
}

/** Types with the same name get their unit and index as suffix. */
function columnName(name: string, at: number, types: readonly ValueType[]): string {
  const alike = types.filter((each) => each.name === name).length > 1;
  const word = alike ? `${name}-${types[at]!.unit}-${at}` : name;
  return reservedNames.has(word) || word === "" ? `value-${word || at}` : word;
}

type Label = readonly [name: string, text: string];

/** A row of samples with equal text, innermost call first. */
interface StackRow {
  readonly trace: readonly JsonObject[];
  readonly labels: readonly Label[];
  readonly values: number[];
}

/** Merges rows with equal text, even if the addresses in their stacks differ. */
class StackRows {
  readonly #profile: StackProfile;
  readonly #directory: string;
  readonly #type: ProfileType;
  readonly #stacks = new StackTable<JsonObject>();
  readonly #uids = new Map<JsonObject, Json>();

  constructor(profile: StackProfile, directory: string, type: ProfileType) {
    this.#profile = profile;
    this.#directory = directory;
    this.#type = type;
  }

  subjects(columns: readonly string[]): Subject[] {
    const { types, main } = this.#profile;
    const subtype = types[main]!.name;
    return this.#rows().map(({ trace, labels, values }) => ({
      properties: jsonObject({
        ...Object.fromEntries(labels),
        subtype,
        trace,
        type: this.#type,
        uid: trace[0] === undefined ? "[unknown]" : this.#uidOf(trace[0]),
      }),
      columns: columnsOf(columns, values, main),
    }));
  }

  #rows(): StackRow[] {
    const { samples, types } = this.#profile;
    const nodes = this.#nodes();
    const labels = new LabelTexts();
    const numbers = new PairTable();
    const rows: StackRow[] = [];
    for (let row = 0; row < samples.length; row++) {
      const values = types.map((_, type) => samples.valueOf(row, type));
      if (values.every((value) => value === 0)) continue;
      const node = nodes[samples.stackOf(row)]!;
      const labelSet = labels.number(samples.labelsOf(row));
      const known = rows[numbers.number(node, labelSet)];
      if (known === undefined) rows.push({ trace: this.#stacks.framesOf(node), labels: labels.of(labelSet), values });
      else values.forEach((value, type) => (known.values[type]! += value));
    }
    return rows;
  }

  /** Maps nodes of the profile to nodes of stacks with equal text. */
  #nodes(): Int32Array {
    const { stacks } = this.#profile;
    const frames = stacks.frames.map((frame) => this.#frameNumber(this.#frameJson(frame)));
    const nodes = new Int32Array(stacks.size);
    for (let node = 1; node < nodes.length; node++)
      nodes[node] = this.#stacks.called(nodes[stacks.callerOf(node)]!, frames[stacks.callOf(node)]!);
    return nodes;
  }

  #frameNumber(frame: JsonObject): number {
    const text = JSON.stringify([...frame].map(([key, json]) => [key, json instanceof JsonNumber ? json.text : json]));
    return this.#stacks.frame(text, () => frame);
  }

  #frameJson(frame: StackFrame): JsonObject {
    const source = frame.source === undefined ? undefined : relativeSource(this.#directory, frame.source);
    const path = frame.module?.path ?? "";
    const module = path.startsWith("[") ? path : path.slice(path.lastIndexOf("/") + 1);
    return jsonObject({
      function: frame.function === "" ? plainName(frame) : frame.function,
      ...(module === "" ? {} : { module }),
      ...(source === undefined ? {} : { source, line: JsonNumber.integer(frame.line ?? 0) }),
    });
  }

  #uidOf(frame: JsonObject): Json {
    const known = this.#uids.get(frame) ?? uidOf(frame);
    this.#uids.set(frame, known);
    return known;
  }
}

/** Interned sets of labels by their text. */
class LabelTexts {
  readonly #numbers = new Map<SampleLabels, number>();
  readonly #byText = new Map<string, number>();
  readonly #labels: (readonly Label[])[] = [];

  number(labels: SampleLabels): number {
    let number = this.#numbers.get(labels);
    if (number === undefined) this.#numbers.set(labels, (number = this.#numberOf(labelTexts(labels))));
    return number;
  }

  of(number: number): readonly Label[] {
    return this.#labels[number]!;
  }

  #numberOf(labels: readonly Label[]): number {
    const text = JSON.stringify(labels);
    const number = this.#byText.get(text) ?? this.#labels.push(labels) - 1;
    this.#byText.set(text, number);
    return number;
  }
}

/** Identifies functions by name and source only, because line numbers change between commits. */
function uidOf(frame: JsonObject): Json {
  const [name, source] = [frame.get("function")!, frame.get("source")];
  return source === undefined ? name : jsonObject({ function: name, source });
}

function labelTexts(labels: SampleLabels): Label[] {
  return [...labels].map(([name, values]) => {
    const texts = values.map((value) =>
      typeof value === "string" ? value : `${value.value}${value.unit === "" ? "" : ` ${value.unit}`}`,
    );
    return [reservedNames.has(name) ? `label-${name}` : name, texts.join(", ")];
  });
}

/** `amount` comes first, because programs of the original design look for it there. */
function columnsOf(names: readonly string[], values: readonly number[], main: number): Subject["columns"] {
  const order = [main, ...names.keys()].filter((at, index) => index === 0 || at !== main);
  return order.map((at) => ({
    name: names[at]!,
    type: Number.isSafeInteger(values[at]) ? "integer" : "float",
    values: [values[at]!],
  }));
}
