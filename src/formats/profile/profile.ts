import { Failure } from "../../core/errors.ts";
import { isList, type Json } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { readDescription } from "./profile-description.ts";
import { headerOf, type ProfileHeader } from "./profile-header.ts";
import { writeRun } from "./profile-print.ts";
import { isCurrent, notAProfile, readRegion, regionsOf, type Regions } from "./profile-regions.ts";
import { readTable } from "./profile-table.ts";
import { writeNormalised } from "./profile-upgrades.ts";

/** Larger profiles are refused, on the way in as on the way out. */
const profileSizeLimit = 512 * 1024 * 1024;
const pieceSize = 1 << 20;

/** A profile ready to be stored: what the index says of it, and the bytes that are hashed. */
export interface NormalisedProfile extends ProfileHeader {
  readonly body: Uint8Array;
}

/**
 * Reads a profile file of any layout and writes it in the one that is stored: the same bytes that Perun hashes. Fails with `not-json`,
 * `not-a-profile`, `profile-too-large`; `file` names it there.
 */
export function normaliseProfile(bytes: Uint8Array, file: string): NormalisedProfile {
  checkSize(bytes, file);
  const regions = regionsOf(bytes, file);
  return { ...headerOf(regions), body: normalised(regions) };
}

function normalised(regions: Regions): Uint8Array {
  const writer = new ByteWriter(regions.scanner.bytes.length * 2);
  writeNormalised(regions, writer);
  checkSize(writer.written(), regions.scanner.file);
  return writer.written();
}

/**
 * Reads a profile of any layout, stored or pending, as a run; nothing is lost: `encodeProfile` gives the stored bytes back. Fails with
 * `not-json`, `not-a-profile`, `profile-too-large`.
 */
export function decodeProfile(bytes: Uint8Array, file = "profile"): Run {
  checkSize(bytes, file);
  const given = regionsOf(bytes, file);
  const { origin } = headerOf(given);
  const regions = isCurrent(given) ? given : regionsOf(normalised(given), file);
  const models = readRegion(regions, "models") ?? [];
  if (!isList(models)) throw notAProfile(file, "models are not a list");
  const described = new Map<string, Json>();
  for (const key of regions.places.keys()) if (!measured.includes(key)) described.set(key, readRegion(regions, key)!);
  return {
    ...readDescription(described),
    data: readTable(regions),
    models,
    ...(origin === undefined ? {} : { origin }),
  };
}

/** Regions that do not describe: the others go through `readDescription`. */
const measured = ["resources", "resource_type_map", "models", "origin"];

/** Hands out the bytes of `encodeProfile` in pieces, which may be kept. Fails with `profile-too-large`; `file` names it there. */
export function encodeProfilePieces(
  run: Run,
  form: "stored" | "pending",
  file: string,
  take: (piece: Uint8Array) => void,
): void {
  let size = 0;
  const drain = (piece: Uint8Array): void => {
    size += piece.length;
    if (size > profileSizeLimit) throw new Failure("profile-too-large", { file, limit: profileSizeLimit });
    take(piece);
  };
  const writer = new ByteWriter(pieceSize, drain);
  writeRun(run, writer, form);
  drain(writer.written());
}

/** stored: the body of an object, in Python's spelling and without the origin. pending: for a file, with the origin, indented. */
export function encodeProfile(run: Run, form: "stored" | "pending" = "stored"): Uint8Array {
  const writer = new ByteWriter(run.data.length * 32);
  writeRun(run, writer, form);
  return writer.written();
}

function checkSize(bytes: Uint8Array, file: string): void {
  if (bytes.length > profileSizeLimit) throw new Failure("profile-too-large", { file, limit: profileSizeLimit });
}
