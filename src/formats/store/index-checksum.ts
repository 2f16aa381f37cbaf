import { isFailure } from "../../core/failures/index.ts";
import { compareByCodePoint } from "../text/index.ts";
import { hexOf, sha1 } from "./object.ts";
import { decodeIndex, inKnownVersions, type IndexEntryV1 } from "./version-index.ts";

/**
 * The checksum file of an index without a trailer, used in stores of Perun: the SHA-1 of the index, then one line per
 * entry, which distinguishes entries that Perun adds or removes later from damage.
 */
export function encodeIndexSum(index: Uint8Array): Uint8Array {
  const lines = [hexOf(sha1(index)), ...decodeIndex(index).entries.map(lineOf)];
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}

/** One entry: a digest of all fields, its object, and its time and name. */
function lineOf(entry: IndexEntryV1): string {
  const fingerprint = hexOf(
    sha1(new TextEncoder().encode(JSON.stringify(Object.entries(entry).sort(([a], [b]) => compareByCodePoint(a, b))))),
  );
  return `${fingerprint} ${entry.digest} ${entry.time} ${JSON.stringify(entry.name)}`;
}

/**
 * Verifies an index with its checksum file. valid: unchanged. stale: entries were added or removed, none was altered.
 * damaged: an entry was altered (the same object with another name or time, or the same name and time with another
 * object), or either file is unreadable.
 */
export function checkIndexSum(sum: Uint8Array, index: Uint8Array): "valid" | "stale" | "damaged" {
  const [digest, ...listed] = new TextDecoder().decode(sum).trimEnd().split("\n");
  if (digest === hexOf(sha1(index))) return "valid";
  try {
    const found = decodeIndex(index).entries.map(lineOf);
    const came = found.filter((line) => !listed.includes(line)).map(factsOf);
    const went = listed.filter((line) => !found.includes(line)).map(factsOf);
    if (!/^[0-9a-f]{40}$/.test(digest ?? "") || went.includes(null)) return "damaged";
    return came.some((now) => went.some((then) => isAltered(now, then))) ? "damaged" : "stale";
  } catch (error) {
    if (isFailure(error, "index-damaged")) return "damaged";
    if (isFailure(error, "index-unknown"))
      return inKnownVersions(index).some((each) => digest === hexOf(sha1(each))) ? "damaged" : "stale";
    throw error;
  }
}

interface Facts {
  readonly object: string;
  readonly nameAndTime: string;
}

function factsOf(line: string): Facts | null {
  const [, object, nameAndTime] = /^[0-9a-f]{40} ([0-9a-f]{40}) (\d+ ".*")$/.exec(line) ?? [];
  return object === undefined || nameAndTime === undefined ? null : { object, nameAndTime: nameAndTime };
}

function isAltered(now: Facts | null, then: Facts | null): boolean {
  return now !== null && then !== null && (now.object === then.object || now.nameAndTime === then.nameAndTime);
}
