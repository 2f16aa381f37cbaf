import { Failure } from "../core/failures/failure.ts";
import type { Value, Values } from "../core/values/value.ts";
import type { Variable } from "../core/variables/variable.ts";

/**
 * What every plug-in says of itself. A plug-in is a frozen object; importing its module has no side effect.
 * Options are declared with the same Variable that experiments use: one parser serves flags, configuration and
 * matrices.
 */
export interface PluginInfo {
  readonly kind: string;
  /** The name users write, with hyphens. */
  readonly name: string;
  /** Other accepted names (Perun's spellings, short names). */
  readonly aliases?: readonly string[];
  readonly synopsis: string;
  readonly options: readonly Variable[];
}

/** An option of a plug-in. Its content may be left out, and is then `otherwise`. */
export function option(
  name: string,
  type: Variable["type"],
  otherwise: Value,
  synopsis: string,
  valid?: readonly string[],
): Variable {
  return {
    name,
    role: "parameter",
    occurrence: "once",
    type,
    default: otherwise,
    synopsis,
    ...(valid ? { valid } : {}),
  };
}

/** The contents of all options, those left out by their defaults. */
export function completed(plugin: PluginInfo, given: Values): Values {
  return new Map(plugin.options.map(({ name, default: otherwise }) => [name, given.get(name) ?? otherwise ?? null]));
}

/** A finite number within bounds; fails with `bad-collector-option`. */
export function numberWithin(plugin: PluginInfo, options: Values, name: string, least: number, most = 1e9): number {
  const value = Number(options.get(name) ?? Number.NaN);
  if (value >= least && value <= most) return value;
  const expected = `a number from ${least} to ${most}`;
  throw new Failure("bad-collector-option", {
    plugin: plugin.name,
    option: name,
    value: String(options.get(name)),
    expected,
    example: least,
  });
}
