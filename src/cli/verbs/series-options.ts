import type { CheckSeriesOptions } from "../../commands/verdicts/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Arguments } from "../arguments.ts";
import type { OptionSpec } from "../verb.ts";
import { databaseOf, settingsOf, namesOf } from "./options.ts";

/** Select the series. */
export const subjectOptions: readonly OptionSpec[] = [
  { flags: "-e, --experiment <name>", synopsis: "use results of this experiment instead of profiles" },
  {
    flags: "--result <names>",
    synopsis: "results of the experiment, comma-separated (default: all numeric ones)",
    repeat: true,
    means: ["variable"],
  },
  {
    flags: "-b, --by <names>",
    synopsis: "parameters that define a series (default: all except texts, times and sample)",
    repeat: true,
  },
  {
    flags: "-w, --where <condition>",
    synopsis: "only rows that match; several conditions are combined with `and`",
    repeat: true,
  },
  { flags: "--collector <name>", synopsis: "only profiles of this collector" },
  { flags: "--cmd <command>", synopsis: "only profiles of this command" },
  { flags: "--location <pattern>", synopsis: "only locations that match this pattern" },
];

/** Select the history and the detector. */
export const detectorOptions: readonly OptionSpec[] = [
  { flags: "--all-parents", synopsis: "include merged commits, not only first parents", advanced: true },
  { flags: "--method <name>", synopsis: "change-point detector", default: "ensemble", means: ["detector"] },
  { flags: "--opt <name=value>", synopsis: "option of the detector", repeat: true, advanced: true },
  {
    flags: "--better <which>",
    synopsis: "which values are better (default: by the variable or unit)",
    choices: ["lower", "higher"],
    advanced: true,
  },
];

type Judging =
  | "of"
  | "range"
  | "since"
  | "allParents"
  | "method"
  | "options"
  | "minEffect"
  | "falseDiscoveryRate"
  | "allMachines";

/** The values of `subjectOptions` and `detectorOptions`, the range and the limits. */
export function seriesOptionsOf(
  args: Arguments,
  of: CheckSeriesOptions["of"] = subjectsOf(args),
): Pick<CheckSeriesOptions, Judging> {
  const [range, since, minEffect] = [args.optionalOperand(0), args.text("since"), args.text("minEffect")];
  return {
    of,
    ...(range === undefined ? {} : { range }),
    ...(since === undefined ? {} : { since }),
    allParents: args.flag("allParents"),
    method: args.text("method") ?? "",
    options: settingsOf(args.texts("opt")),
    ...(minEffect === undefined ? {} : { minEffect: parseShare("--min-effect", minEffect) }),
    falseDiscoveryRate: parseShare("--fdr", args.text("fdr") ?? ""),
    allMachines: args.flag("anyMachine"),
  };
}

/** The values of `subjectOptions` and `--better`. Fails with `unusable-combination`. */
export function subjectsOf(args: Arguments): CheckSeriesOptions["of"] {
  const better = (["lower", "higher"] as const).find((each) => each === args.text("better"));
  const direction = better === undefined ? {} : { better };
  const experiment = args.text("experiment");
  const firstGiven = (names: readonly string[]): string | undefined =>
    names.find((name) => args.texts(name).length > 0);
  const unusable = firstGiven(
    experiment === undefined ? ["result", "by", "where", "db"] : ["collector", "cmd", "location"],
  );
  if (unusable !== undefined) {
    const instead = experiment === undefined ? "name the experiment with -e" : "remove it: it selects profiles";
    throw new Failure("unusable-combination", {
      what: `--${unusable} ${experiment === undefined ? "without" : "with"} --experiment`,
      instead,
    });
  }
  if (experiment === undefined)
    return { ...direction, ...given(args, "collector"), ...given(args, "cmd"), ...given(args, "location") };
  const by = namesOf(args, "by");
  const sets = args.texts("by").length === 0 ? {} : { by };
  return {
    ...direction,
    experiment,
    results: namesOf(args, "result"),
    ...sets,
    where: args.texts("where"),
    ...databaseOf(args),
  };
}

function given<Name extends string>(args: Arguments, name: Name): { readonly [key in Name]?: string } {
  const text = args.text(name);
  return (text === undefined ? {} : { [name]: text }) as { readonly [key in Name]?: string };
}

/** Parses a share from 0 to 1, such as `1%` or `0.01`. Fails with `bad-option`. */
export function parseShare(option: string, text: string): number {
  const match = /^(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*(%?)$/.exec(text);
  const value = Number(match?.[1] ?? Number.NaN) / (match?.[2] === "%" ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  throw new Failure("bad-option", { option, value: text, expected: "a share such as 5% or 0.05" });
}
