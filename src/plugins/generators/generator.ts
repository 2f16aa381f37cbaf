import { Failure } from "../../core/failures/index.ts";
import type { Values } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { PluginInfo } from "../plugin.ts";

/** A generated workload. */
export interface Workload {
  /** Arguments on the command line, quoted for `splitCommand`. */
  readonly words: string;
  /** Unique within its generator and reproducible, so never a path. */
  readonly title: string;
  /** Added to its rows: numbers as columns, text as properties. */
  readonly facts: ReadonlyMap<string, number | string>;
}

/** The side effects a generator may use. */
export interface GeneratorWorld {
  /** Creates a file that is removed after the run and returns its absolute path. */
  write(name: string, chunks: Iterable<string>): string;
  /**
   * Runs a command without a shell in the measured tree. Fails with `generator-failed` unless it exits with 0.
   */
  run(command: string): Promise<void>;
  /**
   * The regular files directly in a folder of that tree, sorted by name, with absolute paths. Fails with
   * `generator-failed`.
   */
  files(folder: string): readonly { readonly name: string; readonly path: string }[];
}

/** Generates workloads; deterministic. */
export interface Generator extends PluginInfo {
  readonly kind: "generator";
  /** Aliases of options, including Perun's names. */
  readonly spellings: Readonly<Record<string, string>>;
  /** True when the workloads depend on the measured tree and must be generated in each. */
  readonly needsTree: boolean;
  /** Fails with `bad-collector-option` for options that produce no workload or too many. */
  generate(options: Values, world: GeneratorWorld): Promise<readonly Workload[]>;
}

/** Maximum workloads per generator; all rows are kept in memory. */
const maxWorkloads = 10_000;

/** An option of a generator; required without `fallback`. */
export function generatorOption(
  name: string,
  type: Variable["type"],
  fallback: Variable["default"],
  synopsis: string,
): Variable {
  return {
    name,
    role: "parameter",
    occurrence: "once",
    type,
    ...(fallback === undefined ? {} : { default: fallback }),
    synopsis,
  };
}

/** An integer option within bounds. Fails with `bad-collector-option`. */
export function integerOf(plugin: PluginInfo, options: Values, name: string, minimum: number, maximum: number): number {
  const value = options.get(name) ?? null;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= minimum && value <= maximum) return value;
  const shown = value === null ? "" : String(value);
  throw refused(plugin, name, shown, `an integer from ${minimum} to ${maximum}`, String(Math.max(minimum, 10)));
}

/** A non-empty text option. Fails with `bad-collector-option`. */
export function textOf(plugin: PluginInfo, options: Values, name: string, example: string): string {
  const value = options.get(name) ?? "";
  if (value !== "") return String(value);
  throw refused(plugin, name, "", "non-empty text", example);
}

/**
 * The numbers from `min-…` to `max-…`, inclusive, in steps. Fails with `bad-collector-option` when there are none or
 * too many.
 */
export function rangeOf(
  plugin: PluginInfo,
  options: Values,
  [low, high, step]: readonly [low: string, high: string, step: string],
  [minimum, maximum]: readonly [minimum: number, maximum: number],
): number[] {
  const from = integerOf(plugin, options, low, minimum, maximum);
  const to = integerOf(plugin, options, high, from, maximum);
  const by = integerOf(plugin, options, step, 1, Number.MAX_SAFE_INTEGER);
  const count = Math.floor((to - from) / by) + 1;
  if (count > maxWorkloads)
    throw refused(plugin, step, String(by), `large enough for ${maxWorkloads} workloads`, String(by * 1000));
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
