import type { Workspace } from "../workspace/workspace.ts";
import { namesOf } from "../workspace/user-plugins.ts";

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
