import type { OptionSpec } from "../../verb.ts";

export const methodOptions: readonly OptionSpec[] = [
  { flags: "--method <name>", synopsis: "comparison method (default: degradation.strategies)", means: ["checker"] },
  {
    flags: "--compat <program>",
    synopsis: "compute numbers as that program does, including its defects",
    choices: ["perun"],
  },
  { flags: "--any-machine", synopsis: "compare profiles of different machines" },
];
export const modelsOption: OptionSpec = {
  flags: "--models-type <name>",
  synopsis: "models to compare, for methods that compare models (default: best-model)",
  choices: ["best-model", "best-param", "best-nonparam", "all-param", "all-nonparam", "all-models", "best-both"],
};
export const computeOption: OptionSpec = {
  flags: "-c, --compute-missing",
  synopsis: "first measure commits without profiles of the configured matrix",
};
export const whyOption: OptionSpec = {
  flags: "--why",
  synopsis: "explain changes: functions that differ and commits that touched their files",
};
