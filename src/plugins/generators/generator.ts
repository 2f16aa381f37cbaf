import { Failure } from "../../core/failures/failure.ts";
import type { Values } from "../../core/values/value.ts";
import type { Variable } from "../../core/variables/variable.ts";
import type { PluginInfo } from "../plugin.ts";

/** One workload that was made. */
export interface Workload {
  /** Its words on the command line, quoted as `splitCommand` reads them. */
  readonly words: string;
  /** Tells it from the others of its generator. The same wherever and whenever it is made, so never a path. */
  readonly title: string;
  /** What rows measured with it get besides their own: numbers become columns, texts properties. */
  readonly facts: ReadonlyMap<string, number | string>;
}

/** What a generator needs of the world. */
export interface GeneratorWorld {
  /** Makes a file that is removed after the run; answers its absolute path. */
  write(name: string, pieces: Iterable<string>): string;
  /**
   * Runs a command, without a shell, in the tree that is measured. Fails with `generator-failed` unless it ends with 0.
   */
  run(command: string): Promise<void>;
  /**
   * The plain files directly in a folder of that tree, in order of name: names and absolute paths. Fails with
   * `generator-failed`.
   */
  files(folder: string): readonly { readonly name: string; readonly path: string }[];
}

/** A way to make workloads. The same options give the same workloads, in the same order. */
export interface Generator extends PluginInfo {
  readonly kind: "generator";
  /** Other names of options, Perun's among them. */
  readonly spellings: Readonly<Record<string, string>>;
  /** True when what is made depends on the tree that is measured: then it is made anew in each. */
  readonly needsTree: boolean;
  /** Fails with `bad-collector-option` for options that make no workload or too many. */
  generate(options: Values, world: GeneratorWorld): Promise<readonly Workload[]>;
}

/** What one generator may make: each is measured, and its rows are kept in memory. */
const mostWorkloads = 10_000;

/** An option of a generator; without `otherwise` it has to be given. */
export function generatorOption(
  name: string,
  type: Variable["type"],
  otherwise: Variable["default"],
  synopsis: string,
): Variable {
  return {
    name,
    role: "parameter",
    occurrence: "once",
    type,
    ...(otherwise === undefined ? {} : { default: otherwise }),
    synopsis,
  };
}

/** A whole number of an option within bounds; fails with `bad-collector-option`. */
export function integerOf(plugin: PluginInfo, options: Values, name: string, least: number, most: number): number {
  const value = options.get(name) ?? null;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const shown = value === null ? "" : String(value);
  throw refused(plugin, name, shown, `a whole number from ${least} to ${most}`, String(Math.max(least, 10)));
}

/** A text of an option that is not empty; fails with `bad-collector-option`. */
export function textOf(plugin: PluginInfo, options: Values, name: string, example: string): string {
  const value = options.get(name) ?? "";
  if (value !== "") return String(value);
  throw refused(plugin, name, "", "a text", example);
}

/**
 * The numbers from `min-…` to `max-…`, both included, in steps. Fails with `bad-collector-option` when there are none
 * or too many.
 */
export function rangeOf(
  plugin: PluginInfo,
  options: Values,
  [low, high, step]: readonly [low: string, high: string, step: string],
  [least, most]: readonly [least: number, most: number],
): number[] {
  const from = integerOf(plugin, options, low, least, most);
  const to = integerOf(plugin, options, high, from, most);
  const by = integerOf(plugin, options, step, 1, Number.MAX_SAFE_INTEGER);
  const count = Math.floor((to - from) / by) + 1;
  if (count > mostWorkloads)
    throw refused(plugin, step, String(by), `large enough for ${mostWorkloads} workloads`, String(by * 1000));
  return Array.from({ length: count }, (_, at) => from + at * by);
}

function refused(
  { name: plugin }: PluginInfo,
  option: string,
  value: string,
  expected: string,
  example: string,
): Failure {
  return new Failure("bad-collector-option", { plugin, option, value, expected, example });
}
