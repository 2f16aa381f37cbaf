import type { QueryOptions } from "../../../commands/query/index.ts";
import { Failure } from "../../../core/failures/index.ts";
import { joinTypes } from "../../../core/experiments/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { OptionSpec } from "../../verb.ts";
import { namesOf } from "../options.ts";

/** Options of queries of two experiments. */
export const joinOptions: readonly OptionSpec[] = [
  {
    flags: "--join <experiment>",
    synopsis: "join a second experiment (keys: --on); its variables are EXPERIMENT.NAME",
  },
  {
    flags: "--on <names>",
    synopsis: "keys of the join, as in size,np=procs (default: the parameters that both have)",
    repeat: true,
    advanced: true,
  },
  {
    flags: "--join-type <type>",
    synopsis: "also keep rows without a partner: left, right or full (default: inner)",
    choices: joinTypes,
    advanced: true,
  },
];

/** The values of `joinOptions`. */
export function joinOptionsOf(args: Arguments): Pick<QueryOptions, "join"> {
  const experiment = args.text("join");
  const [on, type] = [namesOf(args, "on"), joinTypes.find((each) => each === args.text("joinType"))];
  if (experiment !== undefined) return { join: { experiment, on, type: type ?? "inner" } };
  const other = on.length > 0 ? "--on" : type === undefined ? undefined : "--join-type";
  if (other === undefined) return {};
  throw new Failure("unusable-combination", { what: `${other} without --join`, instead: "add --join EXPERIMENT" });
}
