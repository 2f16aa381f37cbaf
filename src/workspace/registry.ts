import { Failure } from "../core/errors.ts";
import { nearest } from "../core/near-names.ts";
import { builtins, type BuiltIn, type PluginOf } from "../plugins/builtin.ts";

/** Finds plug-ins by kind and name. */
export interface Registry {
  /** Loads one; fails with `unknown-plugin`, which lists near names. `-` and `_` are the same in names. */
  get<K extends keyof PluginOf>(kind: K, name: string): Promise<PluginOf[K]>;
  names(kind: keyof PluginOf): readonly string[];
}

export function openRegistry(list: readonly BuiltIn[] = builtins): Registry {
  const byKey = new Map<string, BuiltIn>();
  for (const plugin of list) for (const name of [plugin.name, ...(plugin.aliases ?? [])]) register(byKey, plugin, name);
  const names = (kind: keyof PluginOf): string[] => list.filter((plugin) => plugin.kind === kind).map((plugin) => plugin.name);
  return {
    names,
    async get(kind, name) {
      const found = byKey.get(key(kind, name));
      if (!found) throw new Failure("unknown-plugin", { kind, name, near: nearest(name, names(kind))[0], known: names(kind) });
      return (await found.load()) as PluginOf[typeof kind];
    },
  };
}

function register(byKey: Map<string, BuiltIn>, plugin: BuiltIn, name: string): void {
  const at = key(plugin.kind, name);
  if (byKey.has(at)) throw new Failure("duplicate-plugin", { kind: plugin.kind, name });
  byKey.set(at, plugin);
}

function key(kind: string, name: string): string {
  return `${kind}/${name.toLowerCase().replaceAll("_", "-")}`;
}
