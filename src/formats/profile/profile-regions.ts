import { Failure } from "../../core/failures/index.ts";
import type { Json } from "../../core/values/index.ts";
import { ByteWriter } from "../bytes/index.ts";
import { readValue, type SharedObjects, writeJson, JsonScanner } from "../json/index.ts";

/** The profile types of objects. */
export const profileTypes = ["time", "mixed", "memory"] as const;

export type ProfileType = (typeof profileTypes)[number];

/** A profile, validated as a JSON object, with the position of each top-level value. */
export interface Regions {
  readonly scanner: JsonScanner;
  /** Position of the value by key, in document order. */
  readonly positions: ReadonlyMap<string, number>;
  /** Positions of the members of `global`, which holds all resources in an old layout. */
  readonly inGlobal: ReadonlyMap<string, number>;
}

/** Validates the complete document. Fails with `not-json`, or `not-a-profile` if it is not an object. */
export function regionsOf(bytes: Uint8Array, file: string): Regions {
  const scanner = new JsonScanner(bytes, file);
  const positions = new Map<string, number>();
  const inGlobal = new Map<string, number>();
  scanner.checkDocument((key) => {
    positions.set(key, scanner.pos);
    return key === "global" ? (inner) => void inGlobal.set(inner, scanner.pos) : undefined;
  });
  if (scanner.duplicates) return regionsOf(withoutDuplicates(scanner), file);
  if (scanner.blanks() !== 0x7b) throw notAProfile(file, "the document is not an object");
  return { scanner, positions, inGlobal };
}

/**
 * Rewrites a document with duplicate keys, so that no other code has to handle them. Slow, but rare.
 */
function withoutDuplicates(scanner: JsonScanner): Uint8Array {
  const writer = new ByteWriter(scanner.bytes.length);
  writeJson(readValue(scanner), writer);
  return writer.written();
}

/** The value of a region; undefined if it is absent. `shared`: see `readValue`. */
export function readRegion(regions: Regions, key: string, shared?: SharedObjects): Json | undefined {
  const position = regions.positions.get(key);
  if (position === undefined) return undefined;
  regions.scanner.pos = position;
  return readValue(regions.scanner, shared);
}

export function notAProfile(file: string, reason: string): Failure {
  return new Failure("not-a-profile", { file, reason });
}

/** `not-a-profile` with the line and column of `at`, by default the cursor. */
export function notAProfileAt(scanner: JsonScanner, reason: string, at = scanner.pos): Failure {
  const { line, column } = scanner.locationOf(at);
  return notAProfile(scanner.file, `${reason} (line ${line}, column ${column})`);
}

/** Whether the profile has the current layout, with resources in columns. */
export function isCurrent({ scanner, positions }: Regions): boolean {
  const resources = positions.get("resources");
  const inColumns = resources === undefined || scanner.bytes[resources] === 0x7b;
  return inColumns && !positions.has("global") && !positions.has("snapshots");
}
