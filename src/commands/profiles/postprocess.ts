import type { VersionId } from "../../core/versions/index.ts";
import { isList, isObject, JsonNumber, type Json, type Settings } from "../../core/values/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Postprocessor } from "../../plugins/postprocessors/postprocessor.ts";
import {
  saveProfile,
  type SavedProfile,
  Locator,
  type Confirm,
  type Located,
  readRun,
  runName,
} from "../../workspace/profiles/index.ts";
import { postprocessorOptions, type Registry } from "../../workspace/plugins/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A postprocessor's description for the command line. */
export type PostprocessorInfo = Pick<
  Postprocessor,
  "name" | "recorded" | "synopsis" | "spellings" | "repeated" | "modes"
> & {
  readonly options: readonly Variable[];
};

export interface PostprocessOptions {
  readonly profile: string;
  readonly postprocessor: string;
  /** Options of the postprocessor. */
  readonly params: Settings;
  /** Reproduce this program's numbers, including its defects. */
  readonly compat?: string;
  /** Commit whose index resolves profile names; default: the head. */
  readonly minor?: string;
  readonly confirm: Confirm | null;
}

/** A postprocessed run. */
export interface Postprocessed {
  readonly run: Run;
  /** Models added by this step as plain JSON; undefined numbers are null. */
  readonly models: readonly PlainJson[];
  readonly rows: number;
  /** Skipped data and reasons. */
  readonly notes: readonly string[];
}

export type PlainJson = null | boolean | number | string | readonly PlainJson[] | { readonly [key: string]: PlainJson };

/** Built-in postprocessors in order, then the requested user-defined one. Fails with `unknown-plugin`. */
export async function postprocessors(registry: Registry, wanted?: string): Promise<readonly PostprocessorInfo[]> {
  const builtIn = await Promise.all(registry.names("postprocessor").map((name) => registry.get("postprocessor", name)));
  if (wanted === undefined || builtIn.some(({ name, recorded }) => [name, recorded].includes(wanted))) return builtIn;
  const own = await registry.get("postprocessor", wanted);
  return builtIn.includes(own) ? builtIn : [...builtIn, own];
}

/** Applies a postprocessor without storing the result. Fails with `unknown-plugin` and with failures of its options. */
export async function postprocess(workspace: Workspace, options: PostprocessOptions): Promise<Postprocessed> {
  return (await applied(workspace, options)).result;
}

/**
 * Applies a postprocessor and stores the result as a pending profile of the original's commit: that of a registered
 * profile, the origin of a pending one, else `minor`.
 */
export async function postprocessAndKeep(
  workspace: Workspace,
  options: PostprocessOptions & { readonly nameTemplate?: string },
): Promise<Postprocessed & { readonly kept: SavedProfile }> {
  workspace.perun();
  const { located, result } = await applied(workspace, options);
  const known = result.run.origin ?? (located.kind === "object" ? located.version : undefined);
  const run = { ...result.run, origin: known ?? (await workspace.version(options.minor)) };
  const template = options.nameTemplate ?? (await workspace.config()).text("format.output_profile_template");
  return {
    ...result,
    run,
    kept: saveProfile(workspace, run, (suffix) => runName(workspace, run, template, suffix), {
      register: false,
      exact: options.nameTemplate !== undefined,
    }),
  };
}

async function applied(
  workspace: Workspace,
  options: PostprocessOptions,
): Promise<{ located: Located; result: Postprocessed }> {
  const postprocessor = await workspace.registry.get("postprocessor", options.postprocessor);
  const params = postprocessorOptions(postprocessor, withCompat(postprocessor, options));
  const version = (): Promise<VersionId> => workspace.version(options.minor);
  const located = await new Locator(workspace, options.confirm).one(options.profile, version);
  const before = readRun(workspace, located);
  const notes: string[] = [];
  const run = postprocessor.apply(before, params, (text) => notes.push(text));
  return {
    located,
    result: { run, models: run.models.slice(before.models.length).map(plain), rows: run.data.length, notes },
  };
}

/** Postprocessors without the option have no differences. */
function withCompat(postprocessor: Postprocessor, { params, compat }: PostprocessOptions): Settings {
  const knows = postprocessor.options.some(({ name }) => name === "compat");
  return compat === undefined || !knows ? params : new Map([...params, ["compat", compat]]);
}

function plain(json: Json): PlainJson {
  if (json instanceof JsonNumber) return Number.isFinite(json.value) ? json.value : null;
  if (isList(json)) return json.map(plain);
  return isObject(json) ? Object.fromEntries([...json].map(([key, value]) => [key, plain(value)])) : json;
}
