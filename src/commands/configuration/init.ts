import { Failure, isFailure } from "../../core/failures/failure.ts";
import type { VcsPlugin } from "../../plugins/vcs/vcs.ts";
import { detectVcs } from "../../workspace/plugins/detect-vcs.ts";
import { createInstance } from "../../workspace/config/create-instance.ts";
import { requireTemplate } from "../../workspace/config/templates.ts";
import { openConfig } from "../../workspace/config/config.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface InitOptions {
  /** Where to make the instance; the user's directory when absent. */
  readonly path?: string;
  /** The version control system; that of the repository around the place when absent, git where there is none. */
  readonly vcsType?: string;
  /** Where the repository lies, when not at `path`. */
  readonly vcsPath?: string;
  readonly vcsParams: Readonly<Record<string, string>>;
  readonly vcsFlags: readonly string[];
  readonly template: string;
}

export interface InitResult {
  /** The `.perun` directory. */
  readonly perun: string;
  readonly instance: "created" | "present";
  readonly repository: "created" | "present";
}

/** Makes `.perun` in a repository, and the repository where there is none. What is there already stays as it is. */
export async function init(workspace: Workspace, options: InitOptions): Promise<InitResult> {
  const template = requireTemplate(options.template);
  const root = workspace.files.resolve(options.path ?? ".");
  const at = options.vcsPath === undefined ? root : workspace.files.resolve(options.vcsPath);
  const plugin = await workspace.registry.get("vcs", options.vcsType ?? detectVcs(at));
  const repository = await ensureRepository(plugin, at, options, workspace.world.environment);
  const { perun, created } = createInstance(root, { template, type: plugin.name, repository: at });
  if (created) await trustTemplate(workspace, perun);
  return { perun, instance: created ? "created" : "present", repository };
}

/** What a template of ours names (`make`) was chosen by the user just now. */
async function trustTemplate(workspace: Workspace, perun: string): Promise<void> {
  const config = await openConfig({
    ...workspace.configPaths(),
    local: workspace.files.resolve(`${perun}/local.yml`),
  });
  workspace.trust(perun).grant(config);
}

async function ensureRepository(
  plugin: VcsPlugin,
  path: string,
  options: InitOptions,
  environment: Workspace["world"]["environment"],
): Promise<"created" | "present"> {
  const asked = Object.keys(options.vcsParams).length > 0 || options.vcsFlags.length > 0;
  try {
    const vcs = await plugin.open(path, environment);
    if (asked)
      throw new Failure("unusable-combination", {
        what: `${vcs.root} is a repository already`,
        instead: "leave out --vcs-param and --vcs-flag",
      });
    return "present";
  } catch (error) {
    if (!isFailure(error, "not-a-repository")) throw error;
  }
  await plugin.init(path, options.vcsParams, options.vcsFlags, environment);
  return "created";
}
