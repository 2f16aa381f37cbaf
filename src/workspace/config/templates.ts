import { quoteCommand } from "../../core/text/command-line.ts";
import { Failure } from "../../core/failures/failure.ts";

/**
 * What a new local configuration is made from. `url` is relative to the `.perun` directory, so that both can be moved
 * together.
 */
export interface TemplateFacts {
  readonly type: string;
  readonly url: string;
  /** Programs and input files found in the project; only the template `user` uses them. */
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

/** The text of a new `local.yml`: master has hints only, developer checks by itself, user also measures by itself. */
export function localTemplate(name: TemplateName, facts: TemplateFacts): string {
  const isActive = name !== "master";
  return [
    `vcs:\n  type: ${yamlScalar(facts.type)}\n  url: ${yamlScalar(facts.url)}\n`,
    "# Programs to measure; no shell reads them, paths count from the root of the project.",
    section(name === "user" && facts.commands.length > 0, [
      "cmds:",
      ...listItems(facts.commands, "./build/program --option"),
    ]),
    "# Arguments to measure each of them with.",
    section(name === "user" && facts.workloads.length > 0, [
      "workloads:",
      ...listItems(facts.workloads, "input/small.txt"),
    ]),
    "# How to measure. Options of a collector stand under params.",
    section(name === "user", ["collectors:", "  - name: time", "    params:", "      warmup: 3", "      repeat: 10"]),
    "# What to derive from each profile that run matrix makes.",
    section(false, ["postprocessors:", "  - name: regression_analysis", "    params:", "      per_key: workload"]),
    "# Workloads that are made; a workload that names the id of one stands for all that it makes.",
    section(false, [
      "generators:",
      "  workload:",
      "    - {id: sizes, type: integer, min_range: 100, max_range: 1000, step: 100}",
    ]),
    "# Commands to run in each version before it is measured, such as its build.",
    section(isActive, ["execute:", "  pre_run:", "    - make"]),
    "# Register new profiles at the version they measure, instead of leaving them pending.",
    section(name === "user", ["profiles:", "  register_after_run: true"]),
    "# The order of lists of profiles, and the names of new ones.",
    formatSection(name),
    "# The methods of `check`: all that fit, or the first.",
    section(isActive, [
      "degradation:",
      "  # Measure versions that have no profiles before they are checked, and keep what that said in .perun/logs.",
      "  collect_before_check: true",
      "  log_collect: true",
      "  apply: all",
      "  strategies:",
      "    - method: average_amount_threshold",
    ]),
  ].join("\n");
}

/** The text of a new `shared.yml`: the defaults, written out to be changed. */
export function sharedTemplate(): string {
  return `# The program that \`config edit\` opens, and when long output goes through a pager: always, only-log, only-status or never.
general:
  # editor: vim
  paging: only-log

# How lists print a profile and a version; tokens stand between per cent signs.
format:
  status: '┃ %type% ┃ %collector%  ┃ (%time%) ┃ %source% ┃'
  shortlog: '%checksum:6% (%stats%) %desc% %changes%'
  output_profile_template: '%collector%-%cmd%-%workload%-%date%'
  sort_profiles_by: time

# The methods of \`check\`; those of a project's own configuration are tried first.
degradation:
  apply: all
  strategies:
    - method: average_amount_threshold
`;
}

function formatSection(name: TemplateName): string {
  const lines = ["format:", "  sort_profiles_by: time"];
  if (name === "user") lines.push("  output_profile_template: '%collector%-of-%cmd%-%workload%-%date%'");
  return section(true, lines);
}

/** Lines of a section; as comments while it is only a hint. */
function section(isActive: boolean, lines: readonly string[]): string {
  return lines.map((line) => (isActive ? `${line}\n` : `# ${line}\n`)).join("");
}

function listItems(items: readonly string[], example: string): string[] {
  return (items.length > 0 ? items.map((item) => quoteCommand([item])) : [example]).map(
    (item) => `  - ${yamlScalar(item)}`,
  );
}

/**
 * A YAML scalar for any text: plain where that is safe, otherwise in double quotes, whose escapes are those of JSON.
 */
function yamlScalar(text: string): string {
  return /^(?:[./]+|[./]*[A-Za-z_][A-Za-z0-9_./ -]*)$/.test(text) &&
    !/ $|^(?:true|false|null|y|n|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
