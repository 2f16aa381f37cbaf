import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { Settings } from "../../core/values/setting.ts";
import type { Values } from "../../core/values/value.ts";
import { optionsOf } from "../../workspace/plugins/plugin-options.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { namesOf } from "../../workspace/plugins/user-plugins.ts";

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
  return (await registry.users()).flatMap(({ plugin }) =>
    plugin.kind === "renderer" ? [{ name: plugin.name, names: namesOf(plugin), extension: plugin.extension }] : [],
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
