import type { CheckSeriesOptions } from "../../commands/verdicts/check-series.ts";
import { Failure } from "../../core/failures/failure.ts";
import type { Arguments } from "../arguments.ts";
import type { OptionSpec } from "../verb.ts";
import { databaseOf, settingsOf, words } from "./options.ts";

/** Whose numbers are looked at. */
export const subjectOptions: readonly OptionSpec[] = [
  { flags: "-e, --experiment <name>", synopsis: "its results instead of profiles" },
  {
    flags: "--result <names>",
    synopsis: "results of the experiment, joined by commas (default: all that are numbers)",
    repeat: true,
    means: ["variable"],
  },
  {
    flags: "-b, --by <names>",
    synopsis: "parameters that make its sets (default: all but texts, times and sample)",
    repeat: true,
  },
  { flags: "-w, --where <condition>", synopsis: "only data sets that fit; several must all hold", repeat: true },
  { flags: "--collector <name>", synopsis: "only profiles of this collector" },
  { flags: "--cmd <command>", synopsis: "only profiles of this command" },
  { flags: "--location <pattern>", synopsis: "only locations that the pattern is found in" },
];

/** Along which history, and how changes are looked for. */
export const detectorOptions: readonly OptionSpec[] = [
  { flags: "--all-parents", synopsis: "along all versions, those that were merged in, too" },
  { flags: "--method <name>", synopsis: "the detector", default: "ensemble", means: ["detector"] },
  { flags: "--opt <name=value>", synopsis: "an option of the detector", repeat: true },
  {
    flags: "--better <which>",
    synopsis: "which values are the better ones (default: as the variable or the unit says)",
    choices: ["lower", "higher"],
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

/**
 * Which numbers are looked at along which history, and how: what `subjectOptions`, `detectorOptions`, the range and the
 * limits say.
 */
export function judgingOf(
  args: Arguments,
  of: CheckSeriesOptions["of"] = subjectsOf(args),
): Pick<CheckSeriesOptions, Judging> {
  const [range, since, minEffect] = [args.maybeOperand(0), args.text("since"), args.text("minEffect")];
  return {
    of,
    ...(range === undefined ? {} : { range }),
    ...(since === undefined ? {} : { since }),
    allParents: args.flag("allParents"),
    method: args.text("method") ?? "",
    options: settingsOf(args.texts("opt")),
    ...(minEffect === undefined ? {} : { minEffect: share("--min-effect", minEffect) }),
    falseDiscoveryRate: share("--fdr", args.text("fdr") ?? ""),
    allMachines: args.flag("anyMachine"),
  };
}

/** What `subjectOptions` and `--better` say. */
export function subjectsOf(args: Arguments): CheckSeriesOptions["of"] {
  const better = (["lower", "higher"] as const).find((each) => each === args.text("better"));
  const direction = better === undefined ? {} : { better };
  const experiment = args.text("experiment");
  const stray = (names: readonly string[]): string | undefined => names.find((name) => args.texts(name).length > 0);
  const unfit = stray(experiment === undefined ? ["result", "by", "where", "db"] : ["collector", "cmd", "location"]);
  if (unfit !== undefined) {
    const instead =
      experiment === undefined ? "name the experiment with -e" : "leave it out: it chooses among profiles";
    throw new Failure("unusable-combination", {
      what: `--${unfit} ${experiment === undefined ? "without" : "with"} --experiment`,
      instead,
    });
  }
  if (experiment === undefined)
    return { ...direction, ...given(args, "collector"), ...given(args, "cmd"), ...given(args, "location") };
  const by = words(args, "by");
  const sets = args.texts("by").length === 0 ? {} : { by };
  return {
    ...direction,
    experiment,
    results: words(args, "result"),
    ...sets,
    where: args.texts("where"),
    ...databaseOf(args),
  };
}

function given<Name extends string>(args: Arguments, name: Name): { readonly [key in Name]?: string } {
  const text = args.text(name);
  return (text === undefined ? {} : { [name]: text }) as { readonly [key in Name]?: string };
}

/** `1%` or `0.01`, from 0 to 1. */
export function share(option: string, text: string): number {
  const found = /^(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*(%?)$/.exec(text);
  const value = Number(found?.[1] ?? Number.NaN) / (found?.[2] === "%" ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  throw new Failure("bad-option", { option, value: text, expected: "a share such as 5% or 0.05" });
}
