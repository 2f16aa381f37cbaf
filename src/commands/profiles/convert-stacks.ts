import { Failure } from "../../core/failures/index.ts";
import type { StackProfile } from "../../core/profiles/index.ts";
import { foldedText, printPprof, speedscopeText } from "../../formats/stacks/index.ts";
import { encodeProfilePieces } from "../../formats/profile/index.ts";
import { gzip } from "../../workspace/files/index.ts";
import { openedProfile, type ProfileSource } from "./open-profile.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * Writers of stack formats. `type`: index of the selected value type; default: the main type, or all if the format
 * holds several.
 */
const writers: Readonly<
  Record<string, (profile: StackProfile, type: number | undefined) => Iterable<string | Uint8Array>>
> = {
  folded: (profile, type) => foldedText(profile, type ?? profile.main),
  pprof: (profile, type) => [gzip(printPprof(type === undefined ? profile : { ...profile, main: type }))],
  speedscope: (profile, type) => speedscopeText(profile, type === undefined ? mainFirst(profile) : [type]),
};

/** Supported target formats. */
export const stackFormats: readonly string[] = [...Object.keys(writers), "perun"];

export interface ConvertStacksOptions extends ProfileSource {
  readonly to: string;
  /** Value type, such as `cpu` or `cpu/nanoseconds`. */
  readonly type?: string;
}

/**
 * Streams a profile in a stack format. Fails with failures of readers, `profile-not-found`, `unknown-value-type` and
 * similar failures.
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
  return [main, ...types.keys()].filter((at, index) => index === 0 || at !== main);
}
