import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Settings } from "../../core/values/setting.ts";
import type { Values } from "../../core/values/value.ts";
import { optionsOf } from "../../workspace/plugins/plugin-options.ts";
import { addedKinds } from "../../workspace/plugins/plugin-shape.ts";
import { normalizedNames } from "../../workspace/plugins/user-plugins.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A renderer that the configuration brings along. */
export interface UserRenderer {
  readonly name: string;
  /** All its names, spelled as they are compared. */
  readonly names: readonly string[];
  /** Ending of its files, without dot. */
  readonly extension: string;
}

/** The renderers of the user's; loads them. Fails with `not-trusted`, `bad-plugin`. */
export async function userRenderers({ registry }: Workspace): Promise<readonly UserRenderer[]> {
  return (await registry.userPlugins()).flatMap(({ plugin }) =>
    plugin.kind === "renderer" ? [{ name: plugin.name, names: normalizedNames(plugin), extension: plugin.extension }] : [],
  );
}

/**
 * Options of the renderer of a format. Fails with `unusable-combination` for a format that no renderer prints, and like
 * `optionsOf`.
 */
export async function rendererOptions({ registry }: Workspace, format: string, given: Settings): Promise<Values> {
  try {
    return optionsOf(await registry.get("renderer", format), given);
  } catch (error) {
    if (!isFailure(error, "unknown-plugin")) throw error;
    throw new Failure("unusable-combination", {
      what: `--format-opt with ${format}, which no renderer prints`,
      instead: "leave it out",
    });
  }
}

export interface ListedPlugin {
  readonly kind: string;
  readonly name: string;
  readonly synopsis: string;
  /** The file of a plug-in of the user's, as the configuration names it; null: it is built in. */
  readonly file: string | null;
}

/**
 * All plug-ins of the kinds that users may add: the built-in ones, then those of the configuration. Fails with
 * `not-trusted`, `bad-plugin`.
 */
export async function listPlugins(workspace: Workspace): Promise<readonly ListedPlugin[]> {
  const { registry } = workspace;
  const own = await registry.userPlugins();
  const listed: ListedPlugin[] = [];
  for (const kind of addedKinds) {
    for (const name of registry.names(kind))
      listed.push({ kind, name, synopsis: (await registry.get(kind, name)).synopsis, file: null });
    for (const { plugin, file } of own)
      if (plugin.kind === kind) listed.push({ kind, name: plugin.name, synopsis: plugin.synopsis, file });
  }
  return listed;
}
