import { describe, expect, test } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import type { Experiment } from "../../core/experiments/experiment.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { InputDescription, InputLocation } from "../../formats/descriptions/input/input-description.ts";
import { completeOnce, settleDefinitions, type Ask, type MissingPolicy, type Question } from "./missing-values.ts";

const base = { role: "parameter", occurrence: "multiple", type: "integer" } as const;
const size: Variable = { ...base, name: "S" };
const mode: Variable = { ...base, name: "mode", type: "string", default: "sync" };
const time: Variable = { ...base, name: "T", role: "result", type: "float" };
const host: Variable = { ...base, name: "host", occurrence: "once", type: "string" };
const nodes: Variable = { ...base, name: "N", occurrence: "once", default: 1 };
const note: Variable = { ...base, name: "note", occurrence: "once", type: "text", default: null };
const level: Variable = { ...base, name: "level", occurrence: "once", default: 3 };
const experiment: Experiment = {
  name: "e",
  readers: [],
  writers: [],
  variables: [size, mode, time, host, nodes, note],
};
const origin = { line: 1, column: 1 };

const locating = (...locations: InputLocation[]): InputDescription => ({ file: "x.inp", rules: "sets", locations });
const fixed = (name: string): InputLocation => ({ kind: "fixed", name, value: "1", origin });
const noAnswer: Ask = async () => null;

function answering(...answers: string[]): { ask: Ask; questions: Question[] } {
  const questions: Question[] = [];
  return { questions, ask: async (question) => (questions.push(question), answers.shift() ?? null) };
}

async function settled(
  policy: MissingPolicy | undefined,
  ask = noAnswer,
  ...locations: InputLocation[]
): Promise<unknown> {
  const found = await settleDefinitions(experiment, [locating(...locations)], new Map(), policy, ask);
  return [...found.fixed];
}

async function refused(work: Promise<unknown>): Promise<unknown> {
  const error = await work.catch((caught: unknown) => caught);
  return error instanceof Failure ? [error.code, error.data["variables"] ?? error.data["variable"]] : error;
}

describe("settleDefinitions", () => {
  test("by default uses once defaults, allows missing results and lists other missing variables", async () => {
    expect(await settled(undefined, noAnswer, fixed("s"), fixed("HOST"))).toEqual([["N", 1]]);
    expect(await refused(settled(undefined))).toEqual(["missing-definition", "'S', 'host'"]);
  });
  test("abort does not use defaults", async () => {
    expect(await refused(settled("abort", noAnswer, fixed("S"), fixed("T"), fixed("host")))).toEqual([
      "missing-definition",
      "'mode', 'N', 'note'",
    ]);
  });
  test("default uses defaults and refuses variables without one, including results", async () => {
    expect(await settled("default", noAnswer, fixed("S"), fixed("T"), fixed("host"))).toEqual([
      ["mode", "sync"],
      ["N", 1],
    ]);
    expect(await refused(settled("default", noAnswer, fixed("S"), fixed("host")))).toEqual([
      "missing-definition",
      "'T'",
    ]);
  });
  test("ask prompts for each variable; an empty answer selects the default or repeats the prompt", async () => {
    const { ask, questions } = answering("", " 7 ", "", "2.5", "node7", "", "");
    expect(await settled("ask", ask)).toEqual([
      ["S", 7],
      ["mode", "sync"],
      ["T", 2.5],
      ["host", "node7"],
      ["N", 1],
    ]);
    expect(questions.map(({ variable }) => variable.name)).toEqual(["S", "S", "mode", "T", "host", "N", "note"]);
    expect(await refused(settled("ask", answering("").ask))).toEqual(["no-answer", "S"]);
  });
  test("ask reports an invalid answer and prompts again until input ends", async () => {
    const { ask, questions } = answering("x", "7", "", "2", "a", "", "");
    expect(await settled("ask", ask)).toContainEqual(["S", 7]);
    expect(questions.slice(0, 3).map(({ variable, problem }) => [variable.name, problem?.code])).toEqual([
      ["S", undefined],
      ["S", "bad-content"],
      ["mode", undefined],
    ]);
    expect(await refused(settled("ask", answering("x", "y").ask))).toEqual(["no-answer", "S"]);
  });
  test("ignore accepts everything", async () => {
    expect(await settled("ignore")).toEqual([]);
  });
  test("reports the location of an unknown variable", async () => {
    const [code] = (await refused(settled("ignore", noAnswer, fixed("hots")))) as [string];
    expect(code).toBe("description-error");
    await expect(settled("ignore", noAnswer, fixed("hots"))).rejects.toThrow(
      "x.inp:1:1: experiment 'e' has no parameter or result 'hots', did you mean host?",
    );
  });
  test("collects names from every kind of location", async () => {
    const value = { name: "T", position: { kind: "number", number: 1 }, repetition: 1, typed: false, origin } as const;
    const named = { kind: "named", name: "host", aliases: [], patterns: [], origin } as const;
    const table: InputLocation = { kind: "table", rows: [], start: 1, values: [value], origin };
    const separation: InputLocation = { kind: "separation", mark: named, run: false, origin };
    const split: InputLocation = {
      kind: "split",
      name: "calls",
      enter: [fixed("mode")],
      leave: [],
      stores: [{ name: "N", store: "sum" }],
      origin,
    };
    expect(await refused(settled("abort", noAnswer, table, separation, split))).toEqual([
      "missing-definition",
      "'S', 'note'",
    ]);
  });
});

describe("completeOnce", () => {
  const given = new Map([["N", 4]]);
  const complete = (policy: MissingPolicy | undefined, missing: Variable[], ask = noAnswer): Promise<unknown> =>
    completeOnce(given, missing, policy, ask).then((once) => [...once]);

  test("default uses defaults and refuses variables without one", async () => {
    expect(await complete("default", [note, level])).toEqual([
      ["N", 4],
      ["note", null],
      ["level", 3],
    ]);
    expect(await refused(complete("default", [note, host]))).toEqual(["missing-content", "host"]);
  });
  test("without a policy refuses variables without a default and leaves the others to the experiment", async () => {
    expect(await complete(undefined, [note, level])).toEqual([["N", 4]]);
    expect(await refused(complete(undefined, [note, host]))).toEqual(["missing-content", "host"]);
  });
  test("abort refuses missing values, ignore accepts them", async () => {
    expect(await refused(complete("abort", [note]))).toEqual(["missing-content", "note"]);
    expect(await complete("ignore", [host])).toEqual([["N", 4]]);
  });
  test("ask fills in values", async () => {
    expect(await complete("ask", [host, note], answering("node7", "").ask)).toEqual([
      ["N", 4],
      ["host", "node7"],
      ["note", null],
    ]);
  });
});
