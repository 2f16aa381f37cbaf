import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, sep } from "node:path";
import { Failure } from "../../core/failures/failure.ts";
import { builtins } from "../../plugins/builtin.ts";
import type { Config, ConfigLayer } from "../config/config.ts";
import { guarded } from "./plugin-guard.ts";
import { pluginKit } from "./plugin-kit.ts";
import { misshapenPlugin, type AddedPlugin } from "./plugin-shape.ts";

/** A plug-in of the user, with the file it is from. */
export interface UserPlugin {
  readonly plugin: AddedPlugin;
  readonly file: string;
}

/** Where a plug-in lies: the key `plugins` names it by its path from the folder. */
interface PluginPlace {
  readonly path: string;
  /** It must not lie outside of this one, whatever links there are. */
  readonly folder: string;
}

/**
 * Loads what the key `plugins` names: for the local configuration paths from the root of the project, for the shared
 * one from the folder of that file. Whoever calls has made sure that the configuration is trusted. Fails with
 * `bad-plugin`.
 */
export function loadUserPlugins(config: Config, root: string | null): readonly UserPlugin[] {
  const found = [...placesIn(config, "local", root), ...placesIn(config, "shared", null)].flatMap(loadPlace);
  found.forEach(({ plugin, file }, at) => refuseDouble(plugin, file, found.slice(0, at)));
  return found;
}

function placesIn(config: Config, name: "local" | "shared", root: string | null): PluginPlace[] {
  const path = config.layers.find((layer: ConfigLayer) => layer.name === name)?.path ?? null;
  if (path === null) return [];
  const folder = root ?? dirname(path);
  return config
    .only(name)
    .texts("plugins")
    .map((each) => ({ path: each, folder }));
}

function loadPlace({ path, folder }: PluginPlace): UserPlugin[] {
  const file = insideOf(path, folder);
  return madeBy(path, exportOf(path, file)).map((thing) => {
    const wrong = misshapenPlugin(thing);
    if (wrong !== null) throw bad(path, wrong, "docs/plugins.md describes what a plug-in is");
    return { plugin: guarded(thing as AddedPlugin, path), file: path };
  });
}

/** A repository that was cloned may hold links to anywhere. */
function insideOf(path: string, folder: string): string {
  const absolute = isAbsolute(path) ? path : join(folder, path);
  if (!existsSync(absolute))
    throw bad(
      path,
      `there is no such file in ${folder}`,
      "correct the key plugins of the configuration, or compile the plug-in",
    );
  const real = realpathSync(absolute);
  if (real.startsWith(realpathSync(folder) + sep)) return real;
  throw bad(path, `it lies outside of ${folder}`, "copy it there: plug-ins are loaded from nowhere else");
}

type MakePlugin = (kit: typeof pluginKit) => unknown;

/**
 * `require` reads modules of both systems; what is written in TypeScript has to be compiled, unless this Node can do
 * without.
 */
function exportOf(path: string, file: string): MakePlugin {
  const { typescript } = process.features as { readonly typescript?: unknown };
  if (/\.[cm]?tsx?$/.test(file) && !typescript)
    throw bad(
      path,
      `Node ${process.versions.node} reads no TypeScript`,
      "compile it (npx tsc -p FOLDER) and name the .mjs that comes out",
    );
  const { plugin } = attempted(
    path,
    "cannot be loaded",
    () => createRequire(file)(file) as { readonly plugin?: unknown },
  );
  if (typeof plugin === "function") return plugin as MakePlugin;
  throw bad(path, "it exports no function named plugin", "write export function plugin(kit) { return … }");
}

function madeBy(path: string, make: MakePlugin): readonly unknown[] {
  const made = attempted(path, "plugin() fails", () => make(pluginKit));
  return Array.isArray(made) ? made : [made];
}

function attempted<T>(path: string, what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw bad(path, `${what}: ${(reason.split("\n", 1)[0] ?? "").slice(0, 500)}`, "correct it there", error);
  }
}

function refuseDouble(plugin: AddedPlugin, file: string, before: readonly UserPlugin[]): void {
  const names = namesOf(plugin);
  const clash = (kind: string, others: readonly string[]): string | undefined =>
    kind === plugin.kind ? names.find((name) => others.map(plainName).includes(name)) : undefined;
  for (const { kind, name, aliases = [] } of builtins) {
    const taken = clash(kind, [name, ...aliases]);
    if (taken !== undefined) throw bad(file, `perfkeep has a ${kind} named ${taken} itself`, "give it another name");
  }
  for (const other of before) {
    const taken = clash(other.plugin.kind, namesOf(other.plugin));
    if (taken !== undefined)
      throw bad(file, `${other.file} has a ${plugin.kind} named ${taken}, too`, "give one of them another name");
  }
}

/** All names of a plug-in, spelled as they are compared. */
export function namesOf({ name, aliases = [] }: Pick<AddedPlugin, "name" | "aliases">): string[] {
  return [name, ...aliases].map(plainName);
}

/** `-` and `_` are the same in names, and small letters are capitals. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

function bad(file: string, reason: string, instead: string, cause?: unknown): Failure {
  return new Failure("bad-plugin", { file, reason, instead }, cause);
}
