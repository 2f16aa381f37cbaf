import { quoteCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";

/** Input of a new local configuration. `url` is relative to `.perun`, so that both can be moved together. */
export interface TemplateFacts {
  readonly type: string;
  readonly url: string;
  /** Programs and input files of the project; used only by the template `user`. */
  readonly commands: readonly string[];
  readonly workloads: readonly string[];
}

export const templateNames = ["master", "developer", "user"] as const;

export type TemplateName = (typeof templateNames)[number];

export function requireTemplate(name: string): TemplateName {
  const found = templateNames.find((template) => template === name);
  if (!found)
    throw new Failure("unknown-choice", { kind: "configuration template", value: name, choices: templateNames });
  return found;
}

/**
 * The text of a new `local.yml`: `master` has only commented examples, `developer` enables checks, `user` also enables
 * measurements.
 */
export function localTemplate(name: TemplateName, facts: TemplateFacts): string {
  const isActive = name !== "master";
  return [
    `vcs:\n  type: ${yamlScalar(facts.type)}\n  url: ${yamlScalar(facts.url)}\n`,
    "# Programs to measure, run without a shell; paths are relative to the root of the project.",
    section(name === "user" && facts.commands.length > 0, [
      "cmds:",
      ...listItems(facts.commands, "./build/program --option"),
    ]),
    "# Arguments for each command.",
    section(name === "user" && facts.workloads.length > 0, [
      "workloads:",
      ...listItems(facts.workloads, "input/small.txt"),
    ]),
    "# Collectors. Their options go under params.",
    section(name === "user", ["collectors:", "  - name: time", "    params:", "      warmup: 3", "      repeat: 10"]),
    "# Postprocessors to apply to each profile of run matrix.",
    section(false, ["postprocessors:", "  - name: regression_analysis", "    params:", "      per_key: workload"]),
    ...remainingSections(name, isActive),
  ].join("\n");
}

/** Generators, pre-run commands, formats and checks. */
function remainingSections(name: TemplateName, isActive: boolean): string[] {
  return [
    "# Workload generators; a workload that is the id of a generator selects all of its workloads.",
    section(false, [
      "generators:",
      "  workload:",
      "    - {id: sizes, type: integer, min_range: 100, max_range: 1000, step: 100}",
    ]),
    "# Commands to run in each commit before measuring it, such as its build.",
    section(isActive, ["execute:", "  pre_run:", "    - make"]),
    "# Register new profiles at the measured commit instead of leaving them pending.",
    section(name === "user", ["profiles:", "  register_after_run: true"]),
    "# Sort key of profile lists, and names of new profiles.",
    formatSection(name),
    "# Checks: all matching methods, or the first. The default method is statistics.",
    section(isActive, [
      "degradation:",
      "  # Measure commits without profiles before checking them, and log the output to .perun/logs.",
      "  collect_before_check: true",
      "  log_collect: true",
      "  apply: all",
      "  strategies:",
      "    - method: statistics",
    ]),
  ];
}

/** The text of a new `shared.yml`: the defaults. */
export function sharedTemplate(): string {
  return `# The editor of \`config edit\`, and when to use a pager:
# always, only-log, only-status or never.
general:
  # editor: vim
  paging: only-log

# How lists print a profile and a commit; tokens are enclosed in per cent signs.
format:
  status: '┃ %type% ┃ %collector%  ┃ (%time%) ┃ %source% ┃'
  shortlog: '%checksum:6% (%stats%) %desc% %changes%'
  output_profile_template: '%collector%-%cmd%-%workload%-%date%'
  sort_profiles_by: time

# Checks: all matching methods, or the first. The default method is statistics; a list of strategies replaces it, for
# example [{method: average_amount_threshold}], which has fixed limits (Perun's default).
degradation:
  apply: all
  # strategies: []
`;
}

function formatSection(name: TemplateName): string {
  const lines = ["format:", "  sort_profiles_by: time"];
  if (name === "user") lines.push("  output_profile_template: '%collector%-of-%cmd%-%workload%-%date%'");
  return section(true, lines);
}

/** Lines of a section, commented out unless active. */
function section(isActive: boolean, lines: readonly string[]): string {
  return lines.map((line) => (isActive ? `${line}\n` : `# ${line}\n`)).join("");
}

function listItems(items: readonly string[], example: string): string[] {
  return (items.length > 0 ? items.map((item) => quoteCommand([item])) : [example]).map(
    (item) => `  - ${yamlScalar(item)}`,
  );
}

/** A YAML scalar: plain where safe, otherwise in double quotes with JSON escapes. */
function yamlScalar(text: string): string {
  return /^(?:[./]+|[./]*[A-Za-z_][A-Za-z0-9_./ -]*)$/.test(text) &&
    !/ $|^(?:true|false|null|y|n|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
