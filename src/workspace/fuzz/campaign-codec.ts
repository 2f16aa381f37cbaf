import { Failure } from "../../core/failures/failure.ts";
import { findKinds, type CampaignState, type Find, type Sample } from "./campaign-state.ts";
import type { HotLine } from "./gauge.ts";

const format = "perfkeep fuzz 1";

export function encodeCampaign(state: CampaignState): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ format, ...state })}\n`);
}

/** Reads what `encodeCampaign` wrote. Fails with `campaign-damaged`; `file` is named there. */
export function decodeCampaign(bytes: Uint8Array, file: string): CampaignState {
  const read = reader(file);
  const root = read.members("it", parsed(bytes, file));
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
    samples: read.list("samples", root["samples"], (value) => sample(read, value)),
    rules: read.list("rules", root["rules"], (value) => {
      const { name, tried, hits, degradations } = read.members("rules", value);
      const counts = { tried: read.count("tried", tried), hits: read.count("hits", hits) };
      return { name: read.text("name", name), ...counts, degradations: read.count("degradations", degradations) };
    }),
    phase: read.oneOf("phase", root["phase"], ["explore", "measure"]),
    tried: read.count("tried", root["tried"]),
    waiting: read.list("waiting", root["waiting"], (value) => read.count("waiting", value)),
    step: root["step"] === null ? null : sample(read, root["step"]),
    parent: read.count("parent", root["parent"]),
    plan: read.list("plan", root["plan"], (value) => read.count("plan", value)),
    finds: read.list("finds", root["finds"], (value) => find(read, value)),
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

function parsed(bytes: Uint8Array, file: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Failure("campaign-damaged", { file, reason: "it is no JSON" }, error);
  }
}

function sample(read: Reader, value: unknown): Sample {
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
    hot: hotLines(read, hot),
    fitness: read.amount("fitness", fitness),
    degraded: degraded === null ? null : read.amount("degraded", degraded),
  };
}

function find(read: Reader, value: unknown): Find {
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
    hot: hotLines(read, hot),
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

function hotLines(read: Reader, value: unknown): HotLine[] {
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
interface Reader {
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

function reader(file: string): Reader {
  const checked = <T>(name: string, value: T, isRight: boolean): T => {
    if (!isRight) throw new Failure("campaign-damaged", { file, reason: `'${name}' is not what it has to be` });
    return value;
  };
  const members: Reader["members"] = (name, value) =>
    checked(
      name,
      value as Record<string, unknown>,
      typeof value === "object" && value !== null && !Array.isArray(value),
    );
  const text: Reader["text"] = (name, value) => checked(name, value as string, typeof value === "string");
  const number: Reader["number"] = (name, value) => checked(name, value as number, typeof value === "number");
  const amount: Reader["amount"] = (name, value) => checked(name, number(name, value), number(name, value) >= 0);
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
