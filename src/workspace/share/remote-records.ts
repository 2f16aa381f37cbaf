import { join } from "node:path";
import { redactLogin } from "../../core/text/redacted-address.ts";
import { decodeRecord, nameOfText, type ReadRecord } from "../../formats/store/sharing/remote-record.ts";
import { changeStamp } from "../../store/objects/object-paths.ts";
import { listFolder, readRegularFile } from "../../store/durable/regular-file.ts";
import { SharedChanges } from "./parts/shared-changes.ts";
import { Registrations } from "./parts/registrations.ts";
import type { VersionTexts } from "./parts/set-part.ts";
import { shareFolder } from "./share-folder.ts";

/** Where it stands how a remote and the instance stood to each other; `folder`: that of the remote. */
export function recordPath(folder: string): string {
  return join(folder, "record");
}

/** The record in the folder of a remote; null: there is none, or it is damaged. */
export function readRecord(folder: string): ReadRecord | null {
  const bytes = readRegularFile(recordPath(folder));
  try {
    return bytes === null ? null : decodeRecord(bytes);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Those of all remotes, in order of their names. */
export function readRecords(perun: string): ReadRecord[] {
  const root = shareFolder(perun);
  const folders = listFolder(root).filter((entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name));
  const records = folders.map(({ name }) => readRecord(join(root, name))).filter((record) => record !== null);
  return records.toSorted((a, b) => (a.summary.remote < b.summary.remote ? -1 : 1));
}

/** Names an address, whatever login stands in it. */
export function addressName(address: string): string {
  return nameOfText(redactLogin(address));
}

/** The parts of which records tell, version by version. */
export function recordedTexts(): readonly VersionTexts[] {
  return [new Registrations(), new SharedChanges()];
}

/** What the file of the embedded experiments looks like: another text once something was written. */
export function experimentsMark(perun: string): string {
  const path = join(perun, "experiments.duckdb");
  return [path, `${path}.wal`].map((each) => changeStamp(each) ?? "-").join(" ");
}
