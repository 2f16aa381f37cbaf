import { Failure } from "../../core/failures/index.ts";
import { builtins } from "../../plugins/builtin.ts";
import type { Config, ConfigLayer } from "../config/index.ts";
import { pluginKit } from "./plugin-kit.ts";
import { checkPlugin, type AddedPlugin, resultChecks } from "./plugin-shape.ts";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, sep } from "node:path";

type PluginFunction = (...args: readonly unknown[]) => unknown;
type ResultCheck = (result: unknown) => string | null;

const acceptAny: ResultCheck = () => null;

interface PluginReference {
  readonly file: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Wraps a plug-in of the user: exceptions and invalid results become a Failure that names its file. Failures thrown by
 * the plug-in, or by functions passed to it, are rethrown unchanged.
 */
function guardPlugin<P extends AddedPlugin>(plugin: P, file: string): P {
  return guardObject({ file, kind: plugin.kind, name: plugin.name }, plugin, resultChecks[plugin.kind]) as P;
}

/** Wraps all members, including inherited ones; `checks` validate results by function name. */
function guardObject(
  reference: PluginReference,
  target: object,
  checks: Readonly<Record<string, ResultCheck>> = {},
): object {
  const members = target as Readonly<Record<string, unknown>>;
  const guards = memberNames(target).map((name): [string, unknown] => {
    const member = members[name];
    if (typeof member !== "function") return [name, guardResult(reference, member)];
    return [
      name,
      (...args: unknown[]) =>
        callChecked(reference, name, () => (member as PluginFunction).apply(target, args), checks[name] ?? acceptAny),
    ];
  });
  return Object.freeze(Object.fromEntries(guards));
}

function callChecked(reference: PluginReference, name: string, call: () => unknown, check: ResultCheck): unknown {
  const verify = (result: unknown): unknown => {
    const problem = check(result);
    if (problem !== null) throw pluginFailure(reference, `${name} returned ${problem}`);
    return guardResult(reference, result);
  };
  try {
    const result = call();
    if (!(result instanceof Promise)) return verify(result);
    return result.then(verify).catch((error: unknown) => {
      throw toFailure(reference, error);
    });
  } catch (error) {
    throw toFailure(reference, error);
  }
}

/** Results with functions (a repository, a worktree) and iterables are guarded as well; data is returned unchanged. */
function guardResult(reference: PluginReference, result: unknown): unknown {
  if (
    typeof result !== "object" ||
    result === null ||
    Array.isArray(result) ||
    result instanceof Map ||
    ArrayBuffer.isView(result)
  )
    return result;
  if (Symbol.asyncIterator in result) return guardIterable(reference, result as AsyncIterable<unknown>);
  const hasFunctions = memberNames(result).some(
    (name) => typeof (result as Readonly<Record<string, unknown>>)[name] === "function",
  );
  return hasFunctions ? guardObject(reference, result) : result;
}

function memberNames(candidate: object): string[] {
  const names = new Set<string>();
  for (
    let at: object | null = candidate;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const name of Object.getOwnPropertyNames(at)) if (name !== "constructor") names.add(name);
  return [...names];
}

async function* guardIterable(reference: PluginReference, source: AsyncIterable<unknown>): AsyncIterable<unknown> {
  try {
    for await (const item of source) yield item;
  } catch (error) {
    throw toFailure(reference, error);
  }
}

function toFailure(reference: PluginReference, error: unknown): Failure {
  return error instanceof Failure
    ? error
    : pluginFailure(reference, error instanceof Error ? `${error.name}: ${error.message}` : String(error), error);
}

function pluginFailure({ file, kind, name }: PluginReference, reason: string, cause?: unknown): Failure {
  return new Failure(
    "plugin-failed",
    { file, kind, name, reason: (reason.split("\n", 1)[0] ?? "").slice(0, 500) },
    cause,
  );
}

/** A plug-in of the user, with its file. */
export interface UserPlugin {
  readonly plugin: AddedPlugin;
  readonly file: string;
}

/** Path of a plug-in, relative to the folder. */
interface PluginPath {
  readonly path: string;
  /** The file must be inside of this folder after links are resolved. */
  readonly folder: string;
}

/**
 * Loads the plug-ins listed under `plugins`: paths of the local configuration are relative to the root of the project,
 * those of the shared one to its folder. The caller ensures that the configuration is trusted. Fails with `bad-plugin`.
 */
export function loadUserPlugins(config: Config, root: string | null): readonly UserPlugin[] {
  const plugins = [...pluginPaths(config, "local", root), ...pluginPaths(config, "shared", null)].flatMap(loadPlugins);
  plugins.forEach(({ plugin, file }, at) => refuseDuplicate(plugin, file, plugins.slice(0, at)));
  return plugins;
}

function pluginPaths(config: Config, name: "local" | "shared", root: string | null): PluginPath[] {
  const path = config.layers.find((layer: ConfigLayer) => layer.name === name)?.path ?? null;
  if (path === null) return [];
  const folder = root ?? dirname(path);
  return config
    .only(name)
    .texts("plugins")
    .map((each) => ({ path: each, folder }));
}

function loadPlugins({ path, folder }: PluginPath): UserPlugin[] {
  const file = resolveInside(path, folder);
  return createPlugins(path, loadExport(path, file)).map((candidate) => {
    const problem = checkPlugin(candidate);
    if (problem !== null) throw badPlugin(path, problem, "docs/plugins.md describes the interface");
    return { plugin: guardPlugin(candidate as AddedPlugin, path), file: path };
  });
}

/** A cloned repository may contain links to anywhere. */
function resolveInside(path: string, folder: string): string {
  const absolute = isAbsolute(path) ? path : join(folder, path);
  if (!existsSync(absolute))
    throw badPlugin(
      path,
      `no such file in ${folder}`,
      "correct the key plugins of the configuration, or compile the plug-in",
    );
  const real = realpathSync(absolute);
  if (real.startsWith(realpathSync(folder) + sep)) return real;
  throw badPlugin(path, `it is outside of ${folder}`, "copy it there: plug-ins outside of it are not loaded");
}

type MakePlugin = (kit: typeof pluginKit) => unknown;

/** `require` loads modules of both systems; TypeScript must be compiled unless this Node supports it. */
function loadExport(path: string, file: string): MakePlugin {
  const { typescript } = process.features as { readonly typescript?: unknown };
  if (/\.[cm]?tsx?$/.test(file) && !typescript)
    throw badPlugin(
      path,
      `Node ${process.versions.node} does not run TypeScript`,
      "compile it (npx tsc -p FOLDER) and name the resulting .mjs",
    );
  const { plugin } = attempt(
    path,
    "cannot be loaded",
    () => createRequire(file)(file) as { readonly plugin?: unknown },
  );
  if (typeof plugin === "function") return plugin as MakePlugin;
  throw badPlugin(path, "it exports no function named plugin", "write export function plugin(kit) { return … }");
}

function createPlugins(path: string, make: MakePlugin): readonly unknown[] {
  const created = attempt(path, "plugin() fails", () => make(pluginKit));
  return Array.isArray(created) ? created : [created];
}

function attempt<T>(path: string, what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw badPlugin(path, `${what}: ${(reason.split("\n", 1)[0] ?? "").slice(0, 500)}`, "correct the plug-in", error);
  }
}

function refuseDuplicate(plugin: AddedPlugin, file: string, before: readonly UserPlugin[]): void {
  const names = normalizedNames(plugin);
  const clash = (kind: string, others: readonly string[]): string | undefined =>
    kind === plugin.kind ? names.find((name) => others.map(normalizeName).includes(name)) : undefined;
  for (const { kind, name, aliases = [] } of builtins) {
    const duplicate = clash(kind, [name, ...aliases]);
    if (duplicate !== undefined)
      throw badPlugin(file, `perfkeep already has a ${kind} named ${duplicate}`, "give it another name");
  }
  for (const other of before) {
    const duplicate = clash(other.plugin.kind, normalizedNames(other.plugin));
    if (duplicate !== undefined)
      throw badPlugin(
        file,
        `${other.file} also has a ${plugin.kind} named ${duplicate}`,
        "give one of them another name",
      );
  }
}

/** All names of a plug-in, normalized for comparison. */
export function normalizedNames({ name, aliases = [] }: Pick<AddedPlugin, "name" | "aliases">): string[] {
  return [name, ...aliases].map(normalizeName);
}

/** Names ignore case, and `-` equals `_`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

function badPlugin(file: string, reason: string, instead: string, cause?: unknown): Failure {
  return new Failure("bad-plugin", { file, reason, instead }, cause);
}
