import { Failure } from "../../core/failures/failure.ts";
import { builtins } from "../../plugins/builtin.ts";
import type { Config, ConfigLayer } from "../config/config.ts";
import { pluginKit } from "./plugin-kit.ts";
import { checkPlugin, type AddedPlugin, resultChecks } from "./plugin-shape.ts";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, sep } from "node:path";

type PluginFunction = (...words: readonly unknown[]) => unknown;
type ResultCheck = (answer: unknown) => string | null;

const acceptAny: ResultCheck = () => null;

interface PluginReference {
  readonly file: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * The plug-in of a user as the program may call it: whatever goes wrong in it, and whatever misshapen it answers, is a
 * Failure that names its file. A Failure that it throws itself, or that what it was handed throws, passes through.
 */
function guardPlugin<P extends AddedPlugin>(plugin: P, file: string): P {
  return guardObject({ file, kind: plugin.kind, name: plugin.name }, plugin, resultChecks[plugin.kind]) as P;
}

/**
 * All that it has, and its classes, with every function guarded; `checks` are those of what functions answer, by their
 * names.
 */
function guardObject(place: PluginReference, target: object, checks: Readonly<Record<string, ResultCheck>> = {}): object {
  const members = target as Readonly<Record<string, unknown>>;
  const guards = memberNames(target).map((name): [string, unknown] => {
    const member = members[name];
    if (typeof member !== "function") return [name, guardResult(place, member)];
    return [
      name,
      (...words: unknown[]) =>
        callChecked(place, name, () => (member as PluginFunction).apply(target, words), checks[name] ?? acceptAny),
    ];
  });
  return Object.freeze(Object.fromEntries(guards));
}

function callChecked(place: PluginReference, name: string, call: () => unknown, check: ResultCheck): unknown {
  const judge = (answer: unknown): unknown => {
    const wrong = check(answer);
    if (wrong !== null) throw pluginFailure(place, `${name} answered ${wrong}`);
    return guardResult(place, answer);
  };
  try {
    const answer = call();
    if (!(answer instanceof Promise)) return judge(answer);
    return answer.then(judge).catch((error: unknown) => {
      throw toFailure(place, error);
    });
  } catch (error) {
    throw toFailure(place, error);
  }
}

/**
 * What it answers may be called as well (a repository, a worktree, a walk): that is guarded, too. Data stay as they
 * are.
 */
function guardResult(place: PluginReference, answer: unknown): unknown {
  if (
    typeof answer !== "object" ||
    answer === null ||
    Array.isArray(answer) ||
    answer instanceof Map ||
    ArrayBuffer.isView(answer)
  )
    return answer;
  if (Symbol.asyncIterator in answer) return guardIterable(place, answer as AsyncIterable<unknown>);
  const hasFunctions = memberNames(answer).some(
    (name) => typeof (answer as Readonly<Record<string, unknown>>)[name] === "function",
  );
  return hasFunctions ? guardObject(place, answer) : answer;
}

function memberNames(thing: object): string[] {
  const names = new Set<string>();
  for (
    let at: object | null = thing;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  )
    for (const name of Object.getOwnPropertyNames(at)) if (name !== "constructor") names.add(name);
  return [...names];
}

async function* guardIterable(place: PluginReference, source: AsyncIterable<unknown>): AsyncIterable<unknown> {
  try {
    for await (const item of source) yield item;
  } catch (error) {
    throw toFailure(place, error);
  }
}

function toFailure(place: PluginReference, error: unknown): Failure {
  return error instanceof Failure
    ? error
    : pluginFailure(place, error instanceof Error ? `${error.name}: ${error.message}` : String(error), error);
}

function pluginFailure({ file, kind, name }: PluginReference, reason: string, cause?: unknown): Failure {
  return new Failure(
    "plugin-failed",
    { file, kind, name, reason: (reason.split("\n", 1)[0] ?? "").slice(0, 500) },
    cause,
  );
}

/** A plug-in of the user, with the file it is from. */
export interface UserPlugin {
  readonly plugin: AddedPlugin;
  readonly file: string;
}

/** Where a plug-in lies: the key `plugins` names it by its path from the folder. */
interface PluginPath {
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
  const found = [...pluginPaths(config, "local", root), ...pluginPaths(config, "shared", null)].flatMap(loadPlugins);
  found.forEach(({ plugin, file }, at) => refuseDuplicate(plugin, file, found.slice(0, at)));
  return found;
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
  return createPlugins(path, loadExport(path, file)).map((thing) => {
    const wrong = checkPlugin(thing);
    if (wrong !== null) throw badPlugin(path, wrong, "docs/plugins.md describes what a plug-in is");
    return { plugin: guardPlugin(thing as AddedPlugin, path), file: path };
  });
}

/** A repository that was cloned may hold links to anywhere. */
function resolveInside(path: string, folder: string): string {
  const absolute = isAbsolute(path) ? path : join(folder, path);
  if (!existsSync(absolute))
    throw badPlugin(
      path,
      `there is no such file in ${folder}`,
      "correct the key plugins of the configuration, or compile the plug-in",
    );
  const real = realpathSync(absolute);
  if (real.startsWith(realpathSync(folder) + sep)) return real;
  throw badPlugin(path, `it lies outside of ${folder}`, "copy it there: plug-ins are loaded from nowhere else");
}

type MakePlugin = (kit: typeof pluginKit) => unknown;

/**
 * `require` reads modules of both systems; what is written in TypeScript has to be compiled, unless this Node can do
 * without.
 */
function loadExport(path: string, file: string): MakePlugin {
  const { typescript } = process.features as { readonly typescript?: unknown };
  if (/\.[cm]?tsx?$/.test(file) && !typescript)
    throw badPlugin(
      path,
      `Node ${process.versions.node} reads no TypeScript`,
      "compile it (npx tsc -p FOLDER) and name the .mjs that comes out",
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
  const made = attempt(path, "plugin() fails", () => make(pluginKit));
  return Array.isArray(made) ? made : [made];
}

function attempt<T>(path: string, what: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw badPlugin(path, `${what}: ${(reason.split("\n", 1)[0] ?? "").slice(0, 500)}`, "correct it there", error);
  }
}

function refuseDuplicate(plugin: AddedPlugin, file: string, before: readonly UserPlugin[]): void {
  const names = normalizedNames(plugin);
  const clash = (kind: string, others: readonly string[]): string | undefined =>
    kind === plugin.kind ? names.find((name) => others.map(normalizeName).includes(name)) : undefined;
  for (const { kind, name, aliases = [] } of builtins) {
    const taken = clash(kind, [name, ...aliases]);
    if (taken !== undefined) throw badPlugin(file, `perfkeep has a ${kind} named ${taken} itself`, "give it another name");
  }
  for (const other of before) {
    const taken = clash(other.plugin.kind, normalizedNames(other.plugin));
    if (taken !== undefined)
      throw badPlugin(file, `${other.file} has a ${plugin.kind} named ${taken}, too`, "give one of them another name");
  }
}

/** All names of a plug-in, spelled as they are compared. */
export function normalizedNames({ name, aliases = [] }: Pick<AddedPlugin, "name" | "aliases">): string[] {
  return [name, ...aliases].map(normalizeName);
}

/** `-` and `_` are the same in names, and small letters are capitals. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

function badPlugin(file: string, reason: string, instead: string, cause?: unknown): Failure {
  return new Failure("bad-plugin", { file, reason, instead }, cause);
}
