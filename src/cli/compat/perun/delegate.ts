import { Failure } from "../../../core/failures/failure.ts";
import type { Arguments } from "../../arguments.ts";
import { runVerb } from "../../parse.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";

/** Runs a verb of perfkeep with these words, and with what was said of the output before the command. */
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

/** `--name=content` for each. */
export function pairs(option: string, contents: readonly string[]): string[] {
  return contents.map((content) => `${option}=${content}`);
}

/** `--name` where it was given. */
export function switched(option: string, isGiven: boolean): string[] {
  return isGiven ? [option] : [];
}

/** An option of Perun that means nothing here, and why. */
export interface Refusal {
  readonly flags: string;
  readonly also?: readonly string[];
  readonly repeat?: boolean;
  readonly words?: 2;
  readonly reason: string;
  readonly instead: string;
}

/** Refused options are shown as such by the help. */
export function refusedOptions(refusals: readonly Refusal[]): OptionSpec[] {
  return refusals.map(({ reason, instead: _, ...spec }) => ({ ...spec, synopsis: `refused: ${reason}` }));
}

/** Fails with `unusable-combination` when one of them was given. */
export function refuse(args: Arguments, refusals: readonly Refusal[]): void {
  for (const { flags, reason, instead } of refusals) {
    const name = /--(?:no-)?([a-z-]+)/.exec(flags)?.[1] ?? "";
    const key = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    if (args.texts(key).length > 0 || args.flag(key))
      throw new Failure("unusable-combination", { what: `--${name}: ${reason}`, instead });
  }
}

/** The options of a verb of ours, but for the one that is always given here. */
export function withoutCompat({ options = [] }: Verb): readonly OptionSpec[] {
  return options.filter(({ flags }) => !flags.startsWith("--compat"));
}
