import type { Meaning, Operand, OptionSpec } from "../verb.ts";

const profile: readonly Meaning[] = ["registered", "pending", "file"];

/** What words stand for under the names that verbs give them: `-m <rev>` takes a revision wherever it is. Other names are free text. */
const byName: Readonly<Record<string, readonly Meaning[]>> = {
  base: ["revision", ...profile],
  baseline: profile,
  collector: ["collector"],
  experiment: ["experiment"],
  file: ["file"],
  folder: ["file"],
  from: ["revision"],
  head: ["revision"],
  key: ["key"],
  new: ["revision", ...profile],
  old: ["revision", ...profile],
  path: ["file"],
  profile,
  profiles: profile,
  range: ["revision"],
  results: ["variable"],
  rev: ["revision"],
  source: profile,
  target: ["revision", ...profile],
  to: ["revision"],
  variable: ["variable"],
  variables: ["variable"],
  versions: ["revision"],
  view: ["view"],
  words: ["file"],
  command: ["file"],
  yaml: ["file"],
};

/** The same of options, by their long names. */
const byFlag: Readonly<Record<string, readonly Meaning[]>> = {
  "--by": ["parameter"],
  "--cmd": [],
  "--collector": ["collector"],
  "--commit": ["revision"],
  "--experiment": ["experiment"],
  "--plots": ["parameter"],
  "--postprocessor": ["postprocessor"],
  "--reader": ["reader"],
  "--series": ["parameter"],
  "--stat": ["statistic"],
  "--vcs-type": ["vcs"],
  "--where": ["variable"],
  "--x": ["parameter"],
  "--y": ["parameter"],
};

/** What an operand names. */
export function meaningOfOperand({ name, means }: Operand): readonly Meaning[] {
  return means ?? byName[name.replaceAll(/[<>[\].]/g, "")] ?? [];
}

/** What the content of an option names. */
export function meaningOfOption({ flags, means }: OptionSpec): readonly Meaning[] {
  const long = /--[\w-]+/.exec(flags)?.[0] ?? "";
  const [, name = ""] = /[<[]([^>\]]+)[>\]]$/.exec(flags) ?? [];
  return means ?? byFlag[long] ?? byName[name] ?? [];
}
