import type { Variable } from "../core/variable.ts";

/**
 * What every plug-in says of itself. A plug-in is a frozen object; importing its module has no side effect.
 * Options are declared with the same Variable that experiments use: one parser serves flags, configuration and matrices.
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
