import { join } from "node:path";
import { redactLogin } from "../../core/text/index.ts";
import { decodeRecord, nameOfText, type ReadRecord } from "../../formats/store/index.ts";
import { changeStamp } from "../../store/objects/index.ts";
import { listFolder, readRegularFile } from "../../store/durable/index.ts";
import { SharedChanges } from "./parts/change-sets.ts";
import { Registrations } from "./parts/registrations.ts";
import type { VersionTexts } from "./parts/set-part.ts";
import { shareFolder } from "./share-folder.ts";

/** Path of the record of differences in the folder of a remote. */
export function recordPath(folder: string): string {
  return join(folder, "record");
}

/** Reads the record of a remote; null if missing or damaged. */
export function readRecord(folder: string): ReadRecord | null {
  const bytes = readRegularFile(recordPath(folder));
  try {
    return bytes === null ? null : decodeRecord(bytes);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Records of all remotes, sorted by name. */
export function readRecords(perun: string): ReadRecord[] {
  const root = shareFolder(perun);
  const folders = listFolder(root).filter((entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name));
  const records = folders.map(({ name }) => readRecord(join(root, name))).filter((record) => record !== null);
  return records.toSorted((a, b) => (a.summary.remote < b.summary.remote ? -1 : 1));
}

/** Identifies an address, ignoring its login. */
export function addressName(address: string): string {
  return nameOfText(redactLogin(address));
}

/** The parts whose versions are recorded. */
export function recordedTexts(): readonly VersionTexts[] {
  return [new Registrations(), new SharedChanges()];
}

/** Fingerprint of the embedded database file; differs after a write. */
export function experimentsMark(perun: string): string {
  const path = join(perun, "experiments.duckdb");
  return [path, `${path}.wal`].map((each) => changeStamp(each) ?? "-").join(" ");
}
