import { Failure } from "../../core/failures/failure.ts";
import type { HotLine } from "./gauge.ts";

/** How many times the effort that its size explains a sample takes: what is slow only because it is large has 1. */
export function excessOf(
  state: Pick<CampaignState, "base" | "baseSize" | "slope">,
  effort: number,
  size: number,
): number {
  const expected = state.base + state.slope * Math.max(0, size - state.baseSize);
  return effort / (expected > 0 ? expected : 1);
}

/** What has to be the same when a campaign goes on, each as people read it. */
export type CampaignFacts = Readonly<Record<string, string>>;

/** A sample of input that further ones are made of. */
export interface Sample {
  /** The run that made it; initial samples have the first numbers. */
  readonly id: number;
  /** Its name among the samples of the folder. */
  readonly file: string;
  readonly digest: string;
  readonly size: number;
  /** The initial sample that it comes from: its own id for those. */
  readonly origin: number;
  /** What was applied since, the newest last: `insert-blanks x3`. */
  readonly lineage: readonly string[];
  /** The rule that made it, as index; null: initial. */
  readonly rule: number | null;
  readonly effort: number;
  /** The lines executed most. */
  readonly hot: readonly HotLine[];
  readonly fitness: number;
  /** Share of the comparisons with the baseline that are degradations; null: not measured. */
  readonly degraded: number | null;
}

export const findKinds = ["degradation", "hang", "fault"] as const;
export type FindKind = (typeof findKinds)[number];

/** Where the inputs of finds lie in the folder. */
export const findFolders = { degradation: "degradations", hang: "hangs", fault: "faults" } as const satisfies Readonly<
  Record<FindKind, string>
>;

/** What changed between the baseline and a find. */
export interface FindChange {
  readonly location: string;
  readonly result: string;
  readonly from: string;
  readonly to: string;
  /** Null: no finite number. */
  readonly rate: number | null;
  readonly method: string;
}

/** An input that is worth showing. */
export interface Find {
  readonly kind: FindKind;
  readonly id: number;
  /** Where it lies in the folder; null: there was no room for it. */
  readonly file: string | null;
  readonly size: number;
  readonly origin: number;
  readonly lineage: readonly string[];
  /** How it ended, or the worst change. */
  readonly detail: string;
  /** Null where the run did not end well. */
  readonly effort: number | null;
  readonly hot: readonly HotLine[];
  readonly changes: readonly FindChange[];
  /** Seconds of the campaign until it was found. */
  readonly seconds: number;
  readonly runs: number;
}

interface RuleRecord {
  readonly name: string;
  /** Mutations that were run, were worth keeping, were degradations. */
  tried: number;
  hits: number;
  degradations: number;
}

/** The greatest effort at a moment of the campaign. */
interface CurvePoint {
  readonly seconds: number;
  readonly effort: number;
}

/**
 * Everything that is needed to go on. Changed only between two runs of the program, so that it is whole whenever it is
 * saved.
 */
export interface CampaignState {
  readonly facts: CampaignFacts;
  /** Trials made; the random numbers of each follow from it and the seed. */
  steps: number;
  /** Runs of the program, those of collectors counted as one. */
  runs: number;
  seconds: number;
  /** How many times the effort that its size explains makes a mutation worth measuring. */
  rate: number;
  /** Median effort and size of the initial samples. */
  base: number;
  baseSize: number;
  /** Effort that a byte more costs as long as nothing is out of the ordinary; 0: that is not asked. */
  slope: number;
  /** The initial sample that profiles are compared with. */
  baseline: number;
  samples: Sample[];
  rules: RuleRecord[];
  /** explore: mutations are tried; measure: those worth it are measured. */
  phase: "explore" | "measure";
  /** Mutations tried in this round. */
  tried: number;
  /** Samples of this round that wait to be measured. */
  waiting: number[];
  /**
   * Of those tried in this round that are not worth measuring the one with the greatest excess: a step on the way,
   * should there be nothing better.
   */
  step: Sample | null;
  /** The parent of the next trials, and the rules that they apply. */
  parent: number;
  plan: number[];
  finds: Find[];
  hangs: number;
  faults: number;
  /** Finds and samples that there was no room for. */
  dropped: number;
  curve: CurvePoint[];
}

const format = "perfkeep fuzz 1";

export function encodeCampaign(state: CampaignState): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ format, ...state })}\n`);
}

/** Reads what `encodeCampaign` wrote. Fails with `campaign-damaged`; `file` is named there. */
export function decodeCampaign(bytes: Uint8Array, file: string): CampaignState {
  const read = fieldReader(file);
  const root = read.members("it", parseJson(bytes, file));
  if (root["format"] !== format)
    throw new Failure("campaign-damaged", { file, reason: `its format is not '${format}'` });
  const state: CampaignState = {
    facts: read.texts("facts", root["facts"]),
    steps: read.count("steps", root["steps"]),
    runs: read.count("runs", root["runs"]),
    seconds: read.amount("seconds", root["seconds"]),
    rate: read.amount("rate", root["rate"]),
    base: read.amount("base", root["base"]),
    baseSize: read.amount("baseSize", root["baseSize"]),
    slope: read.amount("slope", root["slope"]),
    baseline: read.count("baseline", root["baseline"]),
    samples: read.list("samples", root["samples"], (value) => readSample(read, value)),
    rules: read.list("rules", root["rules"], (value) => {
      const { name, tried, hits, degradations } = read.members("rules", value);
      const counts = { tried: read.count("tried", tried), hits: read.count("hits", hits) };
      return { name: read.text("name", name), ...counts, degradations: read.count("degradations", degradations) };
    }),
    phase: read.oneOf("phase", root["phase"], ["explore", "measure"]),
    tried: read.count("tried", root["tried"]),
    waiting: read.list("waiting", root["waiting"], (value) => read.count("waiting", value)),
    step: root["step"] === null ? null : readSample(read, root["step"]),
    parent: read.count("parent", root["parent"]),
    plan: read.list("plan", root["plan"], (value) => read.count("plan", value)),
    finds: read.list("finds", root["finds"], (value) => readFind(read, value)),
    hangs: read.count("hangs", root["hangs"]),
    faults: read.count("faults", root["faults"]),
    dropped: read.count("dropped", root["dropped"]),
    curve: read.list("curve", root["curve"], (value) => {
      const { seconds, effort } = read.members("curve", value);
      return { seconds: read.amount("seconds", seconds), effort: read.amount("effort", effort) };
    }),
  };
  requireConsistent(state, file);
  return state;
}

function parseJson(bytes: Uint8Array, file: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Failure("campaign-damaged", { file, reason: "it is no JSON" }, error);
  }
}

function readSample(read: FieldReader, value: unknown): Sample {
  const { id, file, digest, size, origin, lineage, rule, effort, hot, fitness, degraded } = read.members(
    "samples",
    value,
  );
  return {
    id: read.count("id", id),
    file: read.name("file", file),
    digest: read.text("digest", digest),
    size: read.count("size", size),
    origin: read.count("origin", origin),
    lineage: read.list("lineage", lineage, (step) => read.text("lineage", step)),
    rule: rule === null ? null : read.count("rule", rule),
    effort: read.amount("effort", effort),
    hot: readHotLines(read, hot),
    fitness: read.amount("fitness", fitness),
    degraded: degraded === null ? null : read.amount("degraded", degraded),
  };
}

function readFind(read: FieldReader, value: unknown): Find {
  const { kind, id, file, size, origin, lineage, detail, effort, hot, changes, seconds, runs } = read.members(
    "finds",
    value,
  );
  return {
    kind: read.oneOf("kind", kind, findKinds),
    id: read.count("id", id),
    file: file === null ? null : read.name("file", file),
    size: read.count("size", size),
    origin: read.count("origin", origin),
    lineage: read.list("lineage", lineage, (step) => read.text("lineage", step)),
    detail: read.text("detail", detail),
    effort: effort === null ? null : read.amount("effort", effort),
    hot: readHotLines(read, hot),
    changes: read.list("changes", changes, (change) => {
      const { location, result, from, to, rate, method } = read.members("changes", change);
      const sides = { from: read.text("from", from), to: read.text("to", to) };
      const what = { location: read.text("location", location), result: read.text("result", result), ...sides };
      return { ...what, rate: rate === null ? null : read.number("rate", rate), method: read.text("method", method) };
    }),
    seconds: read.amount("seconds", seconds),
    runs: read.count("runs", runs),
  };
}

function readHotLines(read: FieldReader, value: unknown): HotLine[] {
  return read.list("hot", value, (one) => {
    const { file, line, count } = read.members("hot", one);
    return { file: read.text("file", file), line: read.count("line", line), count: read.amount("count", count) };
  });
}

/** What one part says of another has to hold, or the campaign would go on with what is not there. */
function requireConsistent(state: CampaignState, file: string): void {
  const { samples, rules, waiting, plan, baseline, parent, step } = state;
  const ids = new Set(samples.map(({ id }) => id));
  const isMissing = (id: number): boolean => !ids.has(id);
  if (samples.length === 0 || [...waiting, baseline, parent, ...samples.map(({ origin }) => origin)].some(isMissing))
    throw new Failure("campaign-damaged", { file, reason: "it names a sample that it has not" });
  const used = [...plan, ...[...samples, ...(step ? [step] : [])].flatMap(({ rule }) => (rule === null ? [] : [rule]))];
  if (used.some((rule) => rule >= rules.length))
    throw new Failure("campaign-damaged", { file, reason: "it names a rule that it has not" });
}

/** Takes values of a document for what they have to be. `name` is said where they are not. */
interface FieldReader {
  members(name: string, value: unknown): Readonly<Record<string, unknown>>;
  texts(name: string, value: unknown): Readonly<Record<string, string>>;
  list<T>(name: string, value: unknown, item: (value: unknown) => T): T[];
  text(name: string, value: unknown): string;
  /** A name of a file, in no other folder. */
  name(name: string, value: unknown): string;
  number(name: string, value: unknown): number;
  /** A number that is not below zero. */
  amount(name: string, value: unknown): number;
  count(name: string, value: unknown): number;
  oneOf<T extends string>(name: string, value: unknown, choices: readonly T[]): T;
}

function fieldReader(file: string): FieldReader {
  const checked = <T>(name: string, value: T, isRight: boolean): T => {
    if (!isRight) throw new Failure("campaign-damaged", { file, reason: `'${name}' is not what it has to be` });
    return value;
  };
  const members: FieldReader["members"] = (name, value) =>
    checked(
      name,
      value as Record<string, unknown>,
      typeof value === "object" && value !== null && !Array.isArray(value),
    );
  const text: FieldReader["text"] = (name, value) => checked(name, value as string, typeof value === "string");
  const number: FieldReader["number"] = (name, value) => checked(name, value as number, typeof value === "number");
  const amount: FieldReader["amount"] = (name, value) => checked(name, number(name, value), number(name, value) >= 0);
  return {
    members,
    texts: (name, value) =>
      Object.fromEntries(Object.entries(members(name, value)).map(([key, one]) => [key, text(name, one)])),
    list: (name, value, item) => checked(name, value as unknown[], Array.isArray(value)).map(item),
    text,
    name: (name, value) => checked(name, text(name, value), /^\d{6,15}(?:-[\w.-]{1,100})?$/.test(text(name, value))),
    number,
    amount,
    count: (name, value) => checked(name, amount(name, value), Number.isSafeInteger(value)),
    oneOf: (name, value, choices) => checked(name, value as never, choices.includes(value as never)),
  };
}
