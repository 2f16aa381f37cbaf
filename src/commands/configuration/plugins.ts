import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Settings, Values } from "../../core/values/index.ts";
import { optionsOf, addedKinds, normalizedNames } from "../../workspace/plugins/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A renderer of a user plug-in. */
export interface UserRenderer {
  readonly name: string;
  /** All normalized names. */
  readonly names: readonly string[];
  /** File extension without dot. */
  readonly extension: string;
}

/** Loads the renderers of user plug-ins. Fails with `not-trusted`, `bad-plugin`. */
export async function userRenderers({ registry }: Workspace): Promise<readonly UserRenderer[]> {
  return (await registry.userPlugins()).flatMap(({ plugin }) =>
    plugin.kind === "renderer"
      ? [{ name: plugin.name, names: normalizedNames(plugin), extension: plugin.extension }]
      : [],
  );
}

/**
 * Options of a format's renderer. Fails with `unusable-combination` for a format without a renderer, and like
 * `optionsOf`.
 */
export async function rendererOptions({ registry }: Workspace, format: string, given: Settings): Promise<Values> {
  try {
    return optionsOf(await registry.get("renderer", format), given);
  } catch (error) {
    if (!isFailure(error, "unknown-plugin")) throw error;
    throw new Failure("unusable-combination", {
      what: `--format-opt with ${format}, which has no renderer`,
      instead: "leave it out",
    });
  }
}

export interface ListedPlugin {
  readonly kind: string;
  readonly name: string;
  readonly synopsis: string;
  /** File of a user plug-in as configured; null: built in. */
  readonly file: string | null;
}

/**
 * All plug-ins of extensible kinds: built-in ones, then those of the configuration. Fails with `not-trusted`,
 * `bad-plugin`.
 */
export async function listPlugins(workspace: Workspace): Promise<readonly ListedPlugin[]> {
  const { registry } = workspace;
  const userPlugins = await registry.userPlugins();
  const listed: ListedPlugin[] = [];
  for (const kind of addedKinds) {
    for (const name of registry.names(kind))
      listed.push({ kind, name, synopsis: (await registry.get(kind, name)).synopsis, file: null });
    for (const { plugin, file } of userPlugins)
      if (plugin.kind === kind) listed.push({ kind, name: plugin.name, synopsis: plugin.synopsis, file });
  }
  return listed;
}
