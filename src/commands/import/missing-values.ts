import { Failure } from "../../core/failures/failure.ts";
import { variableOf, type Experiment } from "../../core/experiments/experiment.ts";
import type { Value, Values } from "../../core/values/value.ts";
import { findVariable, type Variable } from "../../core/variables/variable.ts";
import { nearest } from "../../core/text/name-suggestions.ts";
import type { InputDescription, InputLocation, Origin } from "../../formats/descriptions/input/input-description.ts";
import { parseInputValue } from "../../query/plan/parse-value.ts";

/**
 * What becomes of a variable without content. abort: the input is refused; default: the default is taken, and the input
 * refused where there is none; ask: somebody is asked; ignore: the default is stored, and no content where there is
 * none.
 */
export const missingPolicies = ["abort", "default", "ask", "ignore"] as const;

export type MissingPolicy = (typeof missingPolicies)[number];

/**
 * Absent policies are friendly: what has a default takes it, results of data sets may be missing, the rest is refused.
 */
export interface MissingPolicies {
  /** Of variables that no location and nothing else gives content to. */
  readonly definition?: MissingPolicy;
  /** Of once variables that were not found in a run, asked at its end. */
  readonly content?: MissingPolicy;
  /** Whether parameters of data sets may be missing; otherwise they are refused. */
  readonly cells?: "ignore";
}

export interface Question {
  readonly variable: Variable;
  readonly missing: "definition" | "content";
  /** What was wrong with the answer before. */
  readonly problem?: Failure;
}

/** Answers the text that somebody gave, null when nobody does. */
export type Ask = (question: Question) => Promise<string | null>;

/** Contents that hold for all runs of an import, and what is not to be complained about. */
export interface SettledContents {
  readonly fixed: Values;
  /** Names of variables whose content may be missing, whatever the policy says. */
  readonly excused: ReadonlySet<string>;
}

/** Contents of the command line. Fails with `unknown-variable`, `fixed-twice`, `bad-content` and its kin. */
export function givenContents(
  given: readonly (readonly [name: string, content: string])[],
  experiment: Experiment,
): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, content] of given) {
    const variable = variableOf(experiment, name);
    if (values.has(variable.name)) throw new Failure("fixed-twice", { variable: variable.name });
    values.set(variable.name, parseInputValue(content, variable));
  }
  return values;
}

/**
 * Settles what becomes of variables that neither `given` nor a location defines. Fails with `missing-definition`, which
 * lists them all.
 */
export async function settleDefinitions(
  experiment: Experiment,
  descriptions: readonly InputDescription[],
  given: Values,
  policy: MissingPolicy | undefined,
  ask: Ask,
): Promise<SettledContents> {
  const located = new Set(descriptions.flatMap((description) => locatedNames(experiment, description)));
  const open = experiment.variables.filter(({ name }) => !located.has(name.toLowerCase()) && !given.has(name));
  refuse(open.filter((variable) => isDemanded(variable, policy)));
  const fixed = new Map(given);
  const excused = new Set(open.map(({ name }) => name));
  for (const variable of open) {
    const value = await contentOf(variable, policy, ask);
    if (value !== null) fixed.set(variable.name, value);
  }
  return { fixed, excused };
}

function isDemanded(variable: Variable, policy: MissingPolicy | undefined): boolean {
  if (policy === "abort") return true;
  if (policy === "default") return variable.default === undefined;
  return (
    policy === undefined &&
    variable.default === undefined &&
    (variable.occurrence === "once" || variable.role === "parameter")
  );
}

/**
 * Friendly defaults of data sets are filled in cell by cell: taken for given, they would make a data set by themselves.
 */
async function contentOf(variable: Variable, policy: MissingPolicy | undefined, ask: Ask): Promise<Value> {
  if (policy === "ask") return answered({ variable, missing: "definition" }, ask);
  const taken = policy === "default" || (policy === undefined && variable.occurrence === "once");
  return taken ? (variable.default ?? null) : null;
}

function refuse(variables: readonly Variable[]): void {
  const [first] = variables;
  if (first === undefined) return;
  const names = variables.map(({ name }) => `'${name}'`).join(", ");
  throw new Failure("missing-definition", {
    variables: names,
    first: first.name,
    several: variables.length > 1 ? "yes" : undefined,
  });
}

/** The once contents of a run with what its policy makes of the missing ones. Fails with `missing-content`. */
export async function completeOnce(
  once: Values,
  missing: readonly Variable[],
  policy: MissingPolicy | undefined,
  ask: Ask,
): Promise<Values> {
  const lacking = policy === "abort" ? missing : missing.filter((variable) => variable.default === undefined);
  if (policy !== "ask" && policy !== "ignore" && lacking[0] !== undefined)
    throw new Failure("missing-content", { variable: lacking[0].name, occurrence: "once" });
  if (policy !== "ask" && policy !== "default") return once;
  const complete = new Map(once);
  for (const variable of missing)
    complete.set(
      variable.name,
      policy === "ask" ? await answered({ variable, missing: "content" }, ask) : (variable.default ?? null),
    );
  return complete;
}

/**
 * An empty answer is the default. Where there is none, and after an answer that is no content, the question comes
 * again. Fails with `no-answer`.
 */
async function answered(question: Question, ask: Ask): Promise<Value> {
  const { variable } = question;
  for (let asked = question; ;) {
    const text = (await ask(asked))?.trim();
    if (text === undefined) throw new Failure("no-answer", { variable: variable.name });
    if (text === "" && variable.default !== undefined) return variable.default;
    const content = text === "" ? null : contentOrProblem(text, variable);
    if (content !== null && !(content instanceof Failure)) return content;
    asked = content === null ? question : { ...question, problem: content };
  }
}

function contentOrProblem(text: string, variable: Variable): Value | Failure {
  try {
    return parseInputValue(text, variable);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

interface NamedPlace {
  readonly name: string;
  readonly origin: Origin;
}

/** All variables that a location gives content to. */
function namesOf(location: InputLocation): NamedPlace[] {
  switch (location.kind) {
    case "table":
      return [...location.values];
    case "split":
      return [
        ...[...location.enter, ...location.leave].flatMap(namesOf),
        ...location.stores.map(({ name }) => ({ name, origin: location.origin })),
      ];
    case "separation":
      return location.mark.kind === "named" ? [location.mark] : [];
    default:
      return [location];
  }
}

/** Names in lower case. Fails with `description-error` at a variable that the experiment has not. */
function locatedNames(experiment: Experiment, { file, locations }: InputDescription): string[] {
  return locations.flatMap(namesOf).map(({ name, origin }) => {
    if (findVariable(experiment.variables, name)) return name.toLowerCase();
    const names = experiment.variables.map((variable) => variable.name);
    throw new Failure("description-error", {
      file,
      line: origin.line,
      column: origin.column,
      problem: `experiment '${experiment.name}' has no parameter or result '${name}'`,
      near: nearest(name.slice(0, 64), names).join(", "),
      advice: `it has ${names.join(", ")}`,
    });
  });
}
