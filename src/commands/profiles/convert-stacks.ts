import { Failure } from "../../core/failures/failure.ts";
import type { StackProfile } from "../../core/profiles/stack-profile.ts";
import { foldedText } from "../../formats/stacks/folded.ts";
import { printPprof } from "../../formats/stacks/pprof/pprof-print.ts";
import { encodeProfilePieces } from "../../formats/profile/profile.ts";
import { speedscopeText } from "../../formats/stacks/speedscope-print.ts";
import { gzip } from "../../workspace/files/compression.ts";
import { openedProfile, type ProfileSource } from "./open-profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * What stacks are written as; the list of all. `type` is what the user chose; absent: the one that is meant, or all
 * where a format holds several.
 */
const writers: Readonly<
  Record<string, (profile: StackProfile, type: number | undefined) => Iterable<string | Uint8Array>>
> = {
  folded: (profile, type) => foldedText(profile, type ?? profile.main),
  pprof: (profile, type) => [gzip(printPprof(type === undefined ? profile : { ...profile, main: type }))],
  speedscope: (profile, type) => speedscopeText(profile, type === undefined ? mainFirst(profile) : [type]),
};

/** The formats that profiles are converted to. */
export const stackFormats: readonly string[] = [...Object.keys(writers), "perun"];

export interface ConvertStacksOptions extends ProfileSource {
  readonly to: string;
  /** The quantity that is wanted: `cpu`, or `cpu/nanoseconds`. */
  readonly type?: string;
}

/**
 * Hands out a profile in a format of stacks, piece by piece. Fails with what readers refuse, `profile-not-found`,
 * `unknown-value-type` and their like.
 */
export async function convertStacks(
  workspace: Workspace,
  options: ConvertStacksOptions,
  take: (piece: string | Uint8Array) => void,
): Promise<void> {
  const opened = await openedProfile(workspace, options);
  if (options.to === "perun") return encodeProfilePieces(await opened.run(), "pending", options.profile, take);
  const write = writers[options.to];
  if (write === undefined)
    throw new Failure("unknown-choice", { kind: "format", value: options.to, choices: stackFormats });
  const { type } = options;
  const profile = await opened.stacks(type);
  for (const piece of write(profile, type === undefined ? undefined : typeAt(profile, type, options.profile)))
    take(piece);
}

function typeAt({ types }: StackProfile, wanted: string, file: string): number {
  const at = types.findIndex(({ name, unit }) => name === wanted || `${name}/${unit}` === wanted);
  if (at >= 0) return at;
  throw new Failure("unknown-value-type", {
    file,
    type: wanted,
    choices: types.map(({ name, unit }) => `${name}/${unit}`),
  });
}

function mainFirst({ types, main }: StackProfile): number[] {
  return [main, ...types.keys()].filter((at, place) => place === 0 || at !== main);
}
