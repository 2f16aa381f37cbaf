import { Failure } from "../../core/failures/index.ts";
import { nearest } from "../../core/text/index.ts";
import { builtins, type BuiltIn, type PluginOf, retired } from "../../plugins/builtin.ts";
import { addedKinds } from "./plugin-shape.ts";
import type { UserPlugin } from "./user-plugins.ts";

/** Plug-ins by kind and name. */
export interface Registry {
  /**
   * Loads a plug-in; in names `-` equals `_`. Fails with `retired-plugin`, and with `unknown-plugin`, which suggests
   * similar names.
   */
  get<K extends keyof PluginOf>(kind: K, name: string): Promise<PluginOf[K]>;
  /** Names of built-in plug-ins. */
  names(kind: keyof PluginOf): readonly string[];
  isBuiltIn(kind: keyof PluginOf, name: string): boolean;
  /** The engine for addresses with the scheme of `address`; undefined if there is none. */
  engineOf(address: string): string | undefined;
  /** Loads the plug-ins of the user. Fails with `not-trusted`, `bad-plugin`. */
  userPlugins(): Promise<readonly UserPlugin[]>;
}

/**
 * `load` loads the plug-ins of the user, lazily on the first name that is not built in, so that built-in features
 * neither run nor require trust in a configuration.
 */
export function openRegistry(
  list: readonly BuiltIn[] = builtins,
  load: () => Promise<readonly UserPlugin[]> = async () => [],
): Registry {
  const byKey = new Map<string, BuiltIn>();
  for (const plugin of list) for (const name of [plugin.name, ...(plugin.aliases ?? [])]) register(byKey, plugin, name);
  const names = (kind: keyof PluginOf): string[] =>
    list.filter((plugin) => plugin.kind === kind).map((plugin) => plugin.name);
  let loading: Promise<readonly UserPlugin[]> | undefined;
  const users = (): Promise<readonly UserPlugin[]> => (loading ??= load());
  return {
    names,
    userPlugins: users,
    isBuiltIn: (kind, name) => byKey.has(pluginKey(kind, name)),
    engineOf: (address) => list.find(({ schemes }) => schemes?.some((each) => address.startsWith(`${each}://`)))?.name,
    async get(kind, name) {
      const builtIn = byKey.get(pluginKey(kind, name));
      if (builtIn) return (await builtIn.load()) as PluginOf[typeof kind];
      const own = addedKinds.some((added) => added === kind)
        ? (await users()).filter(({ plugin }) => plugin.kind === kind)
        : [];
      const added = own.find(({ plugin }) =>
        [plugin.name, ...(plugin.aliases ?? [])].some((each) => pluginKey(kind, each) === pluginKey(kind, name)),
      );
      if (added) return added.plugin as PluginOf[typeof kind];
      refuseRetired(kind, name);
      const known = [...names(kind), ...own.map(({ plugin }) => plugin.name)];
      throw new Failure("unknown-plugin", { kind, name, near: nearest(name, known)[0], known });
    },
  };
}

function register(byKey: Map<string, BuiltIn>, plugin: BuiltIn, name: string): void {
  const at = pluginKey(plugin.kind, name);
  if (byKey.has(at)) throw new Failure("duplicate-plugin", { kind: plugin.kind, name });
  byKey.set(at, plugin);
}

function refuseRetired(kind: keyof PluginOf, name: string): void {
  const gone = retired.find((plugin) => pluginKey(plugin.kind, plugin.name) === pluginKey(kind, name));
  if (gone) throw new Failure("retired-plugin", { ...gone });
}

function pluginKey(kind: string, name: string): string {
  return `${kind}/${name.toLowerCase().replaceAll("_", "-")}`;
}
