import { Failure } from "../../core/failures/failure.ts";
import type { Json } from "../../core/values/json.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { readValue, writeJson } from "../json/json.ts";
import { JsonScanner } from "../json/json-scanner.ts";

/** The profile types that objects may have. */
export const profileTypes = ["time", "mixed", "memory"] as const;

export type ProfileType = (typeof profileTypes)[number];

/** Bytes of a profile that were checked to be a JSON object, with the place of each top-level value. */
export interface Regions {
  readonly scanner: JsonScanner;
  /** Position of the value by key, in document order. */
  readonly places: ReadonlyMap<string, number>;
  /** The same for the members of `global`, which holds all resources in an old layout. */
  readonly inGlobal: ReadonlyMap<string, number>;
}

/** Checks the whole document. Fails with `not-json`, or `not-a-profile` when it is no object. */
export function regionsOf(bytes: Uint8Array, file: string): Regions {
  const scanner = new JsonScanner(bytes, file);
  const places = new Map<string, number>();
  const inGlobal = new Map<string, number>();
  scanner.checkDocument((key) => {
    places.set(key, scanner.pos);
    return key === "global" ? (inner) => void inGlobal.set(inner, scanner.pos) : undefined;
  });
  if (scanner.duplicates) return regionsOf(withoutDuplicates(scanner), file);
  if (scanner.blanks() !== 0x7b) throw notAProfile(file, "the document is not an object");
  return { scanner, places, inGlobal };
}

/**
 * Keys that occur twice are rare enough to be worth a detour that builds everything, so that nothing else has to think
 * of them.
 */
function withoutDuplicates(scanner: JsonScanner): Uint8Array {
  const writer = new ByteWriter(scanner.bytes.length);
  writeJson(readValue(scanner), writer);
  return writer.written();
}

/** The built value of a region; undefined when it is absent. */
export function readRegion(regions: Regions, key: string): Json | undefined {
  const place = regions.places.get(key);
  if (place === undefined) return undefined;
  regions.scanner.pos = place;
  return readValue(regions.scanner);
}

export function notAProfile(file: string, reason: string): Failure {
  return new Failure("not-a-profile", { file, reason });
}

/** The failure of something at the cursor: says where. */
export function misplaced(scanner: JsonScanner, reason: string, at = scanner.pos): Failure {
  const { line, column } = scanner.place(at);
  return notAProfile(scanner.file, `${reason} (line ${line}, column ${column})`);
}

/** True when the resources stand in columns, as they are written today. */
export function isCurrent({ scanner, places }: Regions): boolean {
  const resources = places.get("resources");
  const inColumns = resources === undefined || scanner.bytes[resources] === 0x7b;
  return inColumns && !places.has("global") && !places.has("snapshots");
}
