import { Failure } from "../../core/failures/index.ts";
import type { HotLine } from "./gauge.ts";

/** Effort divided by the effort expected for the size; 1 for an input that is slow only because it is large. */
export function excessOf(
  state: Pick<CampaignState, "base" | "baseSize" | "slope">,
  effort: number,
  size: number,
): number {
  const expected = state.base + state.slope * Math.max(0, size - state.baseSize);
  return effort / (expected > 0 ? expected : 1);
}

/** Facts that must be equal when a campaign resumes, in display form. */
export type CampaignFacts = Readonly<Record<string, string>>;

/** An input that further mutations start from. */
export interface Sample {
  /** Number of the run that made it; initial samples have the first numbers. */
  readonly id: number;
  /** File name in the samples folder. */
  readonly file: string;
  readonly digest: string;
  readonly size: number;
  /** Id of the initial sample it derives from; initial samples have their own id. */
  readonly origin: number;
  /** Applied mutations, newest last, such as `insert-blanks x3`. */
  readonly lineage: readonly string[];
  /** Index of the rule that made it; null: initial. */
  readonly rule: number | null;
  readonly effort: number;
  /** The most executed lines. */
  readonly hot: readonly HotLine[];
  readonly fitness: number;
  /** Share of comparisons with the baseline that are degradations; null: not measured. */
  readonly degraded: number | null;
}

export const findKinds = ["degradation", "hang", "fault"] as const;
export type FindKind = (typeof findKinds)[number];

/** Folders of the inputs of finds. */
export const findFolders = { degradation: "degradations", hang: "hangs", fault: "faults" } as const satisfies Readonly<
  Record<FindKind, string>
>;

/** A change between the baseline and a find. */
export interface FindChange {
  readonly location: string;
  readonly result: string;
  readonly from: string;
  readonly to: string;
  /** null: not finite. */
  readonly rate: number | null;
  readonly method: string;
}

/** An input that degrades, hangs or fails. */
export interface Find {
  readonly kind: FindKind;
  readonly id: number;
  /** File name; null: not stored for lack of space. */
  readonly file: string | null;
  readonly size: number;
  readonly origin: number;
  readonly lineage: readonly string[];
  /** How the run ended, or the worst change. */
  readonly detail: string;
  /** null if the run failed. */
  readonly effort: number | null;
  readonly hot: readonly HotLine[];
  readonly changes: readonly FindChange[];
  /** Campaign time of the find in seconds. */
  readonly seconds: number;
  readonly runs: number;
}

interface RuleRecord {
  readonly name: string;
  /** Numbers of mutations that were run, stored, and degradations. */
  tried: number;
  hits: number;
  degradations: number;
}

/** Maximum effort at a moment of the campaign. */
interface CurvePoint {
  readonly seconds: number;
  readonly effort: number;
}

/** Resumable state. Changes only between two runs of the program, so every saved state is consistent. */
export interface CampaignState {
  readonly facts: CampaignFacts;
  /** Number of trials; with the seed it determines their random numbers. */
  steps: number;
  /** Runs of the program; a collector counts as one. */
  runs: number;
  seconds: number;
  /** Excess above which a mutation is worth measuring. */
  rate: number;
  /** Median effort and size of the initial samples. */
  base: number;
  baseSize: number;
  /** Effort per additional byte of ordinary input; 0: unknown. */
  slope: number;
  /** Id of the initial sample that profiles are compared with. */
  baseline: number;
  samples: Sample[];
  rules: RuleRecord[];
  /** explore: run mutations; measure: measure the promising ones. */
  phase: "explore" | "measure";
  /** Mutations run in this round. */
  tried: number;
  /** Ids of samples to measure. */
  waiting: number[];
  /**
   * The mutation of this round with the greatest excess among those not worth measuring; a fallback if there is nothing
   * better.
   */
  step: Sample | null;
  /** Parent of the next trials, and the rules to apply. */
  parent: number;
  plan: number[];
  finds: Find[];
  hangs: number;
  faults: number;
  /** Finds and samples that were not stored for lack of space. */
  dropped: number;
  curve: CurvePoint[];
}

const format = "perfkeep fuzz 1";

export function encodeCampaign(state: CampaignState): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ format, ...state })}\n`);
}

/** Inverse of `encodeCampaign`. Fails with `campaign-damaged`, which names `file`. */
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
    throw new Failure("campaign-damaged", { file, reason: "it is not JSON" }, error);
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

/** Checks references between samples, rules and plan. */
function requireConsistent(state: CampaignState, file: string): void {
  const { samples, rules, waiting, plan, baseline, parent, step } = state;
  const ids = new Set(samples.map(({ id }) => id));
  const isMissing = (id: number): boolean => !ids.has(id);
  if (samples.length === 0 || [...waiting, baseline, parent, ...samples.map(({ origin }) => origin)].some(isMissing))
    throw new Failure("campaign-damaged", { file, reason: "it refers to a missing sample" });
  const used = [...plan, ...[...samples, ...(step ? [step] : [])].flatMap(({ rule }) => (rule === null ? [] : [rule]))];
  if (used.some((rule) => rule >= rules.length))
    throw new Failure("campaign-damaged", { file, reason: "it refers to a missing rule" });
}

/** Typed access to values of a document; `name` appears in failures. */
interface FieldReader {
  members(name: string, value: unknown): Readonly<Record<string, unknown>>;
  texts(name: string, value: unknown): Readonly<Record<string, string>>;
  list<T>(name: string, value: unknown, item: (value: unknown) => T): T[];
  text(name: string, value: unknown): string;
  /** A plain file name, without folders. */
  name(name: string, value: unknown): string;
  number(name: string, value: unknown): number;
  /** A non-negative number. */
  amount(name: string, value: unknown): number;
  count(name: string, value: unknown): number;
  oneOf<T extends string>(name: string, value: unknown, choices: readonly T[]): T;
}

function fieldReader(file: string): FieldReader {
  const checked = <T>(name: string, value: T, isValid: boolean): T => {
    if (!isValid) throw new Failure("campaign-damaged", { file, reason: `'${name}' is invalid` });
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
