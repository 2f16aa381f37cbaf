import { nearest } from "../../core/text/index.ts";
import type { Setting } from "../../core/values/index.ts";

/** Type of a value: `commands` is a list of texts, `rules` a list of mappings. */
export type KeyKind = "text" | "flag" | "number" | "commands" | "rules";

interface KnownKey {
  readonly kind: KeyKind;
  /** Value if no file sets the key. */
  readonly default?: Setting;
}

/** Perun's basic workloads, used if a project names none. */
const basicWorkloads: readonly Setting[] = [
  settings({ id: "basic_strings", type: "string", min_len: 8, max_len: 128, step_len: 8 }),
  settings({ id: "basic_integers", type: "integer", min_range: 100, max_range: 10000, step: 200 }),
  settings({ id: "basic_files", type: "textfile", min_lines: 10, max_lines: 10000, step: 1000 }),
];

/** The rule of `degradation.strategies` if no file has one. */
export const defaultStrategy: Setting = settings({ method: "statistics" });

/** Perun's default rule. */
export const perunStrategy: Setting = settings({ method: "average_amount_threshold" });

/**
 * All configuration keys, with Perun's names and defaults. The schema "perfkeep.configuration/1" has the same keys, for
 * editors.
 */
export const knownKeys: ReadonlyMap<string, KnownKey> = new Map<string, KnownKey>([
  ["vcs.type", { kind: "text" }],
  ["vcs.url", { kind: "text" }],
  ["general.editor", { kind: "text" }],
  ["general.paging", { kind: "text", default: "only-log" }],
  ["format.status", { kind: "text", default: "┃ %type% ┃ %collector%  ┃ (%time%) ┃ %source% ┃" }],
  ["format.shortlog", { kind: "text", default: "%checksum:6% (%stats%) %desc% %changes%" }],
  ["format.output_profile_template", { kind: "text", default: "%collector%-%cmd%-%workload%-%date%" }],
  ["format.sort_profiles_by", { kind: "text", default: "time" }],
  ["plugins", { kind: "commands" }],
  ["cmds", { kind: "commands" }],
  ["workloads", { kind: "commands" }],
  ["collectors", { kind: "rules" }],
  ["postprocessors", { kind: "rules" }],
  ["execute.pre_run", { kind: "commands" }],
  ["execute.canary", { kind: "flag", default: false }],
  ["profiles.register_after_run", { kind: "flag", default: false }],
  ["degradation.collect_before_check", { kind: "flag", default: false }],
  ["degradation.log_collect", { kind: "flag", default: false }],
  ["degradation.apply", { kind: "text", default: "all" }],
  ["degradation.strategies", { kind: "rules", default: [defaultStrategy] }],
  ["degradation.cutoff", { kind: "number" }],
  ["degradation.location_filter", { kind: "text" }],
  ["generators.workload", { kind: "rules", default: basicWorkloads }],
  ["selection_method", { kind: "text", default: "whole_repository_selection" }],
  ["share.remote", { kind: "text" }],
]);

/** Alternative spellings of keys: Perun's templates write the alias, its program reads the key itself. */
export const keyAliases: ReadonlyMap<string, string> = new Map([["degradation.strategies", "degradation.strategy"]]);

const aliases = new Set(keyAliases.values());

/** True for a known key or a section of one. */
export function isKnownKey(key: string): boolean {
  return knownKeys.has(key) || aliases.has(key) || [...knownKeys.keys()].some((known) => known.startsWith(`${key}.`));
}

export function similarKeys(key: string): string[] {
  return nearest(key, [...knownKeys.keys()]);
}

function settings(entries: Readonly<Record<string, Setting>>): ReadonlyMap<string, Setting> {
  return new Map(Object.entries(entries));
}
