import { addedKinds } from "../../workspace/plugins/plugin-shape.ts";
import type { Workspace } from "../../workspace/workspace.ts";

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
  const own = await registry.users();
  const listed: ListedPlugin[] = [];
  for (const kind of addedKinds) {
    for (const name of registry.names(kind))
      listed.push({ kind, name, synopsis: (await registry.get(kind, name)).synopsis, file: null });
    for (const { plugin, file } of own)
      if (plugin.kind === kind) listed.push({ kind, name: plugin.name, synopsis: plugin.synopsis, file });
  }
  return listed;
}
