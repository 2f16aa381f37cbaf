import { Failure } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { runVerb } from "../../parse.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";

/** Runs a verb of perfkeep with these words and the output options given before the command. */
export function perfkeep(
  session: Session,
  verb: Verb,
  options: readonly string[],
  operands: readonly string[] = [],
): Promise<number> {
  const { verbose, color, pager } = session.output.options;
  const output = [
    `--color=${color ? "always" : "never"}`,
    ...(verbose ? ["--verbose"] : []),
    ...(pager === undefined ? ["--no-pager"] : []),
  ];
  return runVerb(
    "perfkeep",
    verb,
    [...options, ...output, ...(operands.length === 0 ? [] : ["--", ...operands])],
    session,
  );
}

/** `--name=value` for each value. */
export function pairs(option: string, values: readonly string[]): string[] {
  return values.map((value) => `${option}=${value}`);
}

/** `--name` if it is given. */
export function switched(option: string, isGiven: boolean): string[] {
  return isGiven ? [option] : [];
}

/** An option of Perun that is not supported, and why. */
export interface Refusal {
  readonly flags: string;
  readonly also?: readonly string[];
  readonly repeat?: boolean;
  readonly words?: 2;
  readonly reason: string;
  readonly instead: string;
}

/** Options that are refused; help marks them. */
export function refusedOptions(refusals: readonly Refusal[]): OptionSpec[] {
  return refusals.map(({ reason, instead: _, ...spec }) => ({ ...spec, synopsis: `refused: ${reason}` }));
}

/** Fails with `unusable-combination` if one of them is given. */
export function refuse(args: Arguments, refusals: readonly Refusal[]): void {
  for (const { flags, reason, instead } of refusals) {
    const name = /--(?:no-)?([a-z-]+)/.exec(flags)?.[1] ?? "";
    const key = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    if (args.texts(key).length > 0 || args.flag(key))
      throw new Failure("unusable-combination", { what: `--${name}: ${reason}`, instead });
  }
}

/** The options of a verb except --compat, which is always set here. */
export function withoutCompat({ options = [] }: Verb): readonly OptionSpec[] {
  return options.filter(({ flags }) => !flags.startsWith("--compat"));
}
