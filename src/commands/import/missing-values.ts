import { Failure, valueOrFailure } from "../../core/failures/index.ts";
import { variableOf, type Experiment } from "../../core/experiments/index.ts";
import { formatValue, type Value, type Values } from "../../core/values/index.ts";
import { findVariable, type Variable } from "../../core/variables/index.ts";
import { nearest } from "../../core/text/index.ts";
import { filledVariables, type InputDescription, type InputLocation } from "../../formats/descriptions/index.ts";
import { parseInputValue } from "../../query/plan/index.ts";

/**
 * Policies for variables without a value. abort: refuse the input; default: use the default, refuse the input without
 * one; ask: prompt; ignore: store the default, or no value.
 */
export const missingPolicies = ["abort", "default", "ask", "ignore"] as const;

export type MissingPolicy = (typeof missingPolicies)[number];

/** Without a policy, defaults are used, results of rows may be missing, and anything else is refused. */
export interface MissingPolicies {
  /** For variables that no location or fixed value defines. */
  readonly definition?: MissingPolicy;
  /** For `once` variables not found in a run, applied at its end. */
  readonly value?: MissingPolicy;
  /** Allow missing parameters of rows. */
  readonly cells?: "ignore";
}

export interface Question {
  readonly variable: Variable;
  readonly missing: "definition" | "value";
  /** Why the previous answer was invalid. */
  readonly problem?: Failure;
}

/** Returns the user's answer, or null without one. */
export type Ask = (question: Question) => Promise<string | null>;

/** Records answers, so that the import can be replayed non-interactively. */
export function recordingAsk(ask: Ask | undefined, answers: string[]): Ask {
  return async (question) => {
    const answer = (await ask?.(question)) ?? null;
    if (answer !== null) answers.push(answer);
    return answer;
  };
}

/** Values for all runs of an import, and variables that may be missing. */
export interface SettledValues {
  readonly fixed: Values;
  /** Names of variables that may be missing regardless of the policy. */
  readonly excused: ReadonlySet<string>;
}

/** Parses fixed values. Fails with `unknown-variable`, `fixed-twice`, `bad-content` and similar failures. */
export function givenValues(
  given: readonly (readonly [name: string, text: string])[],
  experiment: Experiment,
): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, text] of given) {
    const variable = variableOf(experiment, name);
    if (values.has(variable.name)) throw new Failure("fixed-twice", { variable: variable.name });
    values.set(variable.name, parseInputValue(text, variable));
  }
  return values;
}

/** Values as texts, for the ledger. */
export function textValues(values: Values, { variables }: Experiment): (readonly [name: string, text: string])[] {
  return variables.flatMap(({ name, type }) => {
    const value = values.get(name) ?? null;
    return value === null ? [] : [[name, formatValue(value, type)] as const];
  });
}

/**
 * Applies the policy to variables that neither `given` nor a location defines. Fails with `missing-definition`, which
 * lists them all.
 */
export async function settleDefinitions(
  experiment: Experiment,
  descriptions: readonly InputDescription[],
  given: Values,
  policy: MissingPolicy | undefined,
  ask: Ask,
): Promise<SettledValues> {
  const located = new Set(descriptions.flatMap((description) => locatedNames(experiment, description)));
  const undefinedVariables = experiment.variables.filter(
    ({ name }) => !located.has(name.toLowerCase()) && !given.has(name),
  );
  refuse(undefinedVariables.filter((variable) => isRequired(variable, policy)));
  const fixed = new Map(given);
  const excused = new Set(undefinedVariables.map(({ name }) => name));
  for (const variable of undefinedVariables) {
    const value = await valueFor(variable, policy, ask);
    if (value !== null) fixed.set(variable.name, value);
  }
  return { fixed, excused };
}

function isRequired(variable: Variable, policy: MissingPolicy | undefined): boolean {
  if (policy === "abort") return true;
  if (policy === "default") return variable.default === undefined;
  return (
    policy === undefined &&
    variable.default === undefined &&
    (variable.occurrence === "once" || variable.role === "parameter")
  );
}

/**
 * Without a policy, defaults of `multiple` variables are filled in per cell: as fixed values they would create a row.
 */
async function valueFor(variable: Variable, policy: MissingPolicy | undefined, ask: Ask): Promise<Value> {
  if (policy === "ask") return promptFor({ variable, missing: "definition" }, ask);
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

/** Completes the `once` values of a run by the policy. Fails with `missing-content`. */
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
      policy === "ask" ? await promptFor({ variable, missing: "value" }, ask) : (variable.default ?? null),
    );
  return complete;
}

/** The policy for runs of known formats: each missing variable needs a default. Fails with `missing-content`. */
export async function requireDefaults(once: Values, missing: readonly Variable[]): Promise<Values> {
  const lacking = missing.find((variable) => variable.default === undefined);
  if (lacking !== undefined) throw new Failure("missing-content", { variable: lacking.name, occurrence: "once" });
  return once;
}

/**
 * Prompts for a value. An empty answer selects the default; without one, or after an invalid answer, prompts again.
 * Fails with `no-answer`.
 */
async function promptFor(question: Question, ask: Ask): Promise<Value> {
  const { variable } = question;
  for (let current = question; ;) {
    const text = (await ask(current))?.trim();
    if (text === undefined) throw new Failure("no-answer", { variable: variable.name });
    if (text === "" && variable.default !== undefined) return variable.default;
    const value = text === "" ? null : valueOrFailure(() => parseInputValue(text, variable));
    if (value !== null && !(value instanceof Failure)) return value;
    current = value === null ? question : { ...question, problem: value };
  }
}

/** Variables defined by a location. */
function namesOf(location: InputLocation): ReturnType<typeof filledVariables> {
  if (location.kind === "separation") return location.mark.kind === "named" ? [location.mark] : [];
  const nested = location.kind === "split" ? [...location.enter, ...location.leave].flatMap(namesOf) : [];
  return [...nested, ...filledVariables(location)];
}

/** Lower-case names. Fails with `description-error` for variables that the experiment lacks. */
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
