import { shellCommand, splitCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { formatValue } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Coverage } from "./coverage.ts";
import type { Gap } from "./finding.ts";

/** A command for missing measurements, and how often to run it. */
export interface Job {
  readonly command: string;
  readonly times: number;
}

/** A name in braces, or a doubled brace, which escapes it. */
const hole = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/**
 * A command for each gap: `bench -s {S_chunk}` with names replaced by values. The template is split into words before,
 * so a value is always part of one word; no shell is involved. A command runs until the set with the most missing
 * values is complete, given the usual number of values per run. Fails with `bad-command` and `bad-job`.
 */
export function jobsFor(
  template: string,
  { gaps, perRun }: Pick<Coverage, "gaps" | "perRun">,
  parameters: readonly Variable[],
): Job[] {
  const words = splitCommand(template);
  if (words.length === 0)
    throw new Failure("bad-job", { problem: "the command is empty", instead: "write --job 'bench -s {S_chunk}'" });
  words.forEach((word) => fillTemplate(word, (name) => namedIn(name, parameters).name));
  const times = new Map<string, number>();
  for (const { set, missing: lacking } of gaps) {
    const command = shellCommand(words.map((word, at) => argument(word, at, set, parameters)));
    times.set(command, Math.max(times.get(command) ?? 0, Math.ceil(lacking / perRun)));
  }
  return [...times].map(([command, each]) => ({ command, times: each }));
}

function argument(word: string, at: number, set: Gap["set"], parameters: readonly Variable[]): string {
  const text = fillTemplate(word, (name) => {
    const variable = namedIn(name, parameters);
    return formatValue(set.get(variable.name) ?? null, variable.type);
  });
  if (text.startsWith("-") && word.startsWith("{") && !/^-\.?\d/.test(text)) throw looksLikeOption(text, at);
  return text;
}

/** A value at the start of a word must not become an option of the program. */
function looksLikeOption(text: string, at: number): Failure {
  return new Failure("bad-job", {
    problem: `the value '${text.slice(0, 80)}' would be taken for an option, as word ${at + 1} of the command`,
    instead: "put something before it, as in --name={name}, or exclude it with --where",
  });
}

function fillTemplate(word: string, valueOf: (name: string) => string): string {
  return word.replace(hole, (found, name: string | undefined) => {
    if (found === "{{" || found === "}}") return found.charAt(0);
    if (name === undefined)
      throw new Failure("bad-job", {
        problem: `a brace stands alone in '${word}'`,
        instead: "write {{ for a brace itself",
      });
    return valueOf(name);
  });
}

function namedIn(name: string, parameters: readonly Variable[]): Variable {
  const found = parameters.find((variable) => variable.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const known = parameters.map((variable) => variable.name).join(", ");
  throw new Failure("bad-job", {
    problem: `'${name}' is none of the parameters that make the matrix`,
    instead: known === "" ? "name parameters with --by" : `there are ${known}; others can be named with --by`,
  });
}
