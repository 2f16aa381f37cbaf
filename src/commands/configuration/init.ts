import { Failure, isFailure } from "../../core/failures/index.ts";
import type { VcsPlugin } from "../../plugins/vcs/vcs.ts";
import { detectVcs } from "../../workspace/plugins/index.ts";
import { createInstance, requireTemplate, openConfig, shareInstance } from "../../workspace/config/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";

export interface InitOptions {
  /** Directory of the instance; default: the current directory. */
  readonly path?: string;
  /** Version control system; default: detected, else git. */
  readonly vcsType?: string;
  /** Directory of the repository, if not `path`. */
  readonly vcsPath?: string;
  readonly vcsParams: Readonly<Record<string, string>>;
  readonly vcsFlags: readonly string[];
  readonly template: string;
  /** Let the group of the folder write to the instance, also if it is present. */
  readonly shared?: boolean;
}

export interface InitResult {
  /** The `.perun` directory. */
  readonly perun: string;
  readonly instance: "created" | "present";
  readonly repository: "created" | "present";
}

/** Creates `.perun` in a repository, and the repository if there is none. Existing files are kept. */
export async function init(workspace: Workspace, options: InitOptions): Promise<InitResult> {
  const template = requireTemplate(options.template);
  const root = workspace.files.resolve(options.path ?? ".");
  const at = options.vcsPath === undefined ? root : workspace.files.resolve(options.vcsPath);
  const plugin = await workspace.registry.get("vcs", options.vcsType ?? detectVcs(at));
  const repository = await ensureRepository(plugin, at, options, workspace.world.environment);
  const { perun, created } = createInstance(root, { template, type: plugin.name, repository: at });
  if (options.shared === true) shareInstance(perun);
  if (created) await trustTemplate(workspace, perun);
  return { perun, instance: created ? "created" : "present", repository };
}

/** The user has just selected the template, so its commands (`make`) are trusted. */
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
  const hasVcsOptions = Object.keys(options.vcsParams).length > 0 || options.vcsFlags.length > 0;
  try {
    const vcs = await plugin.open(path, environment);
    if (hasVcsOptions)
      throw new Failure("unusable-combination", {
        what: `${vcs.root} is already a repository`,
        instead: "leave out --vcs-param and --vcs-flag",
      });
    return "present";
  } catch (error) {
    if (!isFailure(error, "not-a-repository")) throw error;
  }
  await plugin.init(path, options.vcsParams, options.vcsFlags, environment);
  return "created";
}
