import type { VersionId } from "../core/digest.ts";
import { Failure } from "../core/errors.ts";
import type { Run } from "../core/run.ts";
import type { Settings } from "../core/setting.ts";
import type { StackProfile } from "../core/stack-profile.ts";
import { foldedText } from "../formats/folded-print.ts";
import { printPprof } from "../formats/pprof-print.ts";
import { encodeProfilePieces } from "../formats/profile.ts";
import { speedscopeText } from "../formats/speedscope-print.ts";
import { runStacks } from "../query/profile/run-stacks.ts";
import { addedReader, foundReader, type FoundReader } from "../workspace/found-reader.ts";
import { Locator, type Confirm } from "../workspace/locate.ts";
import { packed } from "../workspace/packed.ts";
import { optionsOf } from "../workspace/plugin-options.ts";
import { readRun } from "../workspace/read-run.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What stacks are written as; the list of all. `type` is what the user chose; absent: the one that is meant, or all where a format holds several. */
const writers: Readonly<Record<string, (profile: StackProfile, type: number | undefined) => Iterable<string | Uint8Array>>> = {
  folded: (profile, type) => foldedText(profile, type ?? profile.main),
  pprof: (profile, type) => [packed(printPprof(type === undefined ? profile : { ...profile, main: type }))],
  speedscope: (profile, type) => speedscopeText(profile, type === undefined ? mainFirst(profile) : [type]),
};

/** The formats that profiles are converted to. */
export const stackFormats: readonly string[] = [...Object.keys(writers), "perun"];

export interface ConvertStacksOptions {
  /** A file of another profiler, `-`, or a profile as everywhere. */
  readonly profile: string;
  readonly to: string;
  /** The format of the file; absent: as its first bytes tell. */
  readonly from?: string;
  /** Options of the reader of that format. */
  readonly params: Settings;
  /** The quantity that is wanted: `cpu`, or `cpu/nanoseconds`. */
  readonly type?: string;
  readonly minor?: string;
  readonly confirm: Confirm | null;
}

/** Hands out a profile in a format of stacks, piece by piece. Fails with what readers refuse, `profile-not-found`, `unknown-value-type` and their like. */
export async function convertStacks(
  workspace: Workspace,
  options: ConvertStacksOptions,
  take: (piece: string | Uint8Array) => void,
): Promise<void> {
  const found = await opened(workspace, options);
  if (options.to === "perun") return encodeProfilePieces(await runOf(workspace, options, found), "pending", options.profile, take);
  const write = writers[options.to];
  if (write === undefined) throw new Failure("unknown-choice", { kind: "format", value: options.to, choices: stackFormats });
  const profile = await profileOf(workspace, options, found);
  const { type } = options;
  for (const piece of write(profile, type === undefined ? undefined : typeAt(profile, type, options.profile))) take(piece);
}

/** The file that is meant with its reader; null: a profile of ours is. */
async function opened(workspace: Workspace, { profile, from }: ConvertStacksOptions): Promise<FoundReader | null> {
  const isFile = profile === "-" || workspace.files.inspect(profile) !== null;
  if (!isFile && from === undefined) return null;
  const found = await foundReader(workspace, profile, from);
  if (found.reader !== null) return found;
  if (isOurs(found.head) && profile !== "-") return null;
  const own = await addedReader(workspace.registry, found.head);
  if (own !== null) return { ...found, reader: own };
  throw new Failure("unknown-profile-format", { file: profile, known: workspace.registry.names("reader"), option: "--from" });
}

/** A file of ours is one object of JSON. */
function isOurs(head: Uint8Array): boolean {
  return /^\s*\{/.test(new TextDecoder().decode(head.subarray(0, 256)));
}

async function profileOf(workspace: Workspace, options: ConvertStacksOptions, found: FoundReader | null): Promise<StackProfile> {
  if (found === null || found.reader === null) return runStacks(await storedRun(workspace, options), options.type);
  const { reader, source } = found;
  return reader.stacks(source, optionsOf(reader, options.params), { path: options.profile, directory: workspace.world.directory });
}

async function runOf(workspace: Workspace, options: ConvertStacksOptions, found: FoundReader | null): Promise<Run> {
  if (found === null || found.reader === null) return storedRun(workspace, options);
  const { reader, source } = found;
  return reader.read(source, optionsOf(reader, options.params), { path: options.profile, directory: workspace.world.directory });
}

async function storedRun(workspace: Workspace, { profile, minor, confirm }: ConvertStacksOptions): Promise<Run> {
  const version = (): Promise<VersionId> => workspace.version(minor);
  return readRun(workspace, await new Locator(workspace, confirm).one(profile, version));
}

function typeAt({ types }: StackProfile, wanted: string, file: string): number {
  const at = types.findIndex(({ name, unit }) => name === wanted || `${name}/${unit}` === wanted);
  if (at >= 0) return at;
  throw new Failure("unknown-value-type", { file, type: wanted, choices: types.map(({ name, unit }) => `${name}/${unit}`) });
}

function mainFirst({ types, main }: StackProfile): number[] {
  return [main, ...types.keys()].filter((at, place) => place === 0 || at !== main);
}
