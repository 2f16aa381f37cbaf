import type { Variable } from "../../core/variables/variable.ts";
import type { Registry } from "../../workspace/plugins/registry.ts";

/** What the command line needs to know of a collector. */
export interface PluginOptions {
  readonly name: string;
  readonly synopsis: string;
  readonly options: readonly Variable[];
}

/** The collector of that name; all built-in ones without a name. Fails with `unknown-plugin`. */
export async function collectorsNamed(registry: Registry, name?: string): Promise<readonly PluginOptions[]> {
  const names = name === undefined ? registry.names("collector") : [name];
  return Promise.all(names.map((each) => registry.get("collector", each)));
}
