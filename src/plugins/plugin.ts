import { Failure } from "../core/failures/index.ts";
import type { Value, Values } from "../core/values/index.ts";
import type { Variable } from "../core/variables/index.ts";

/**
 * Metadata of every plug-in. A plug-in is a frozen object; importing its module has no side effects. Options are
 * declared with the same Variable as in experiments, so that one parser serves flags, configuration and matrices.
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

/** An option of a plug-in with its default `fallback`. */
export function option(
  name: string,
  type: Variable["type"],
  fallback: Value,
  synopsis: string,
  valid?: readonly string[],
): Variable {
  return {
    name,
    role: "parameter",
    occurrence: "once",
    type,
    default: fallback,
    synopsis,
    ...(valid ? { valid } : {}),
  };
}

/** The values of all options, with defaults for omitted ones. */
export function withDefaults(plugin: PluginInfo, given: Values): Values {
  return new Map(plugin.options.map(({ name, default: fallback }) => [name, given.get(name) ?? fallback ?? null]));
}

/** A numeric option within bounds. Fails with `bad-collector-option`. */
export function numberWithin(
  plugin: PluginInfo,
  options: Values,
  name: string,
  minimum: number,
  maximum = 1e9,
): number {
  const value = Number(options.get(name) ?? Number.NaN);
  if (value >= minimum && value <= maximum) return value;
  const expected = `a number from ${minimum} to ${maximum}`;
  throw new Failure("bad-collector-option", {
    plugin: plugin.name,
    option: name,
    value: String(options.get(name)),
    expected,
    example: minimum,
  });
}
