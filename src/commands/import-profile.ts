import { Failure } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import type { Settings } from "../core/setting.ts";
import type { Reader } from "../plugins/readers/reader.ts";
import { keepProfile, type KeptProfile } from "../workspace/keep-profile.ts";
import { optionsOf } from "../workspace/plugin-options.ts";
import { runName } from "../workspace/run-name.ts";
import { unpacked } from "../workspace/unpacked.ts";
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
  const { head, source } = await unpacked(workspace.files.stream(options.file), options.file);
  const reader = await readerOf(workspace, options, head);
  const found = await reader.read(source, optionsOf(reader, options.params), { path: options.file, directory });
  const run = { ...renamed(found, options), origin };
  const template = (await workspace.config()).text("format.output_profile_template");
  const kept = keepProfile(workspace, run, (suffix) => runName(workspace, run, template, suffix), false);
  return { ...kept, format: reader.name };
}

/** What a file is, as its first bytes tell. */
async function readerOf({ registry }: Workspace, { reader, file }: ImportProfileOptions, head: Uint8Array): Promise<Reader> {
  if (reader !== undefined) return registry.get("reader", reader);
  const names = registry.names("reader");
  const all = await Promise.all(names.map((name) => registry.get("reader", name)));
  const [best] = all.map((each) => ({ each, sure: each.sniff(head) })).toSorted((a, b) => b.sure - a.sure);
  if (best === undefined || best.sure <= 0) throw new Failure("unknown-profile-format", { file, known: names });
  return best.each;
}

function renamed(run: Run, { cmd, workload }: ImportProfileOptions): Run {
  const fixed = new Map(run.fixed);
  if (cmd !== undefined) fixed.set("cmd", cmd);
  if (workload !== undefined) fixed.set("workload", workload);
  return { ...run, fixed };
}
