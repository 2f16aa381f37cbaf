import { Failure } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import type { Settings } from "../core/setting.ts";
import { foundReader } from "../workspace/found-reader.ts";
import { keepProfile, type KeptProfile } from "../workspace/keep-profile.ts";
import { optionsOf } from "../workspace/plugin-options.ts";
import { runName } from "../workspace/run-name.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface ImportProfileOptions {
  /** What another profiler wrote, perhaps packed by gzip; `-` is standard input. */
  readonly file: string;
  /** The name of the format; absent: as the first bytes tell. */
  readonly reader?: string;
  /** Options of the reader. */
  readonly params: Settings;
  /** Instead of what the file says was measured. */
  readonly cmd?: string;
  readonly workload?: string;
  /** The version that was measured; the head when absent. */
  readonly minor?: string;
}

/** A pending profile, and what wrote the file it was made of. */
export type ImportedProfile = KeptProfile & { readonly format: string };

/**
 * Makes a pending profile of a file that another profiler wrote. Fails with `unknown-profile-format`, `unknown-plugin`, `packed-file`, `unreadable-file`,
 * and with what the reader refuses.
 */
export async function importProfile(workspace: Workspace, options: ImportProfileOptions): Promise<ImportedProfile> {
  const directory = workspace.root();
  const origin = await workspace.version(options.minor);
  const { reader, source } = await foundReader(workspace, options.file, options.reader);
  if (reader === null) throw new Failure("unknown-profile-format", { file: options.file, known: workspace.registry.names("reader") });
  const found = await reader.read(source, optionsOf(reader, options.params), { path: options.file, directory });
  const run = { ...renamed(found, options), origin };
  const template = (await workspace.config()).text("format.output_profile_template");
  const kept = keepProfile(workspace, run, (suffix) => runName(workspace, run, template, suffix), false);
  return { ...kept, format: reader.name };
}

function renamed(run: Run, { cmd, workload }: ImportProfileOptions): Run {
  const fixed = new Map(run.fixed);
  if (cmd !== undefined) fixed.set("cmd", cmd);
  if (workload !== undefined) fixed.set("workload", workload);
  return { ...run, fixed };
}
