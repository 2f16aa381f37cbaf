import type { VersionId } from "../../core/versions/digest.ts";
import { compareByCodePoint } from "../../formats/text/code-points.ts";
import type { FsckFindings } from "./fsck-report.ts";
import { profileNameError } from "../pending/pending.ts";
import type { IndexFile } from "../index/version-index.ts";

// oxlint-disable-next-line no-control-regex -- searches for control characters
const looksForged = /[\u0000-\u001f/]/;

/** The location of an index in findings. */
interface IndexLocation {
  readonly path: string;
  readonly version: VersionId;
}

/** Checks a readable index. `objects` maps the digests in the store to whether they are intact. */
export function checkIndex(
  location: IndexLocation,
  file: IndexFile,
  objects: ReadonlyMap<string, boolean>,
  findings: FsckFindings,
): void {
  checkEntries(location, file, objects, findings);
  checkOrder(location, file, findings);
  checkDuplicates(location, file, findings);
  noteChecksum(location, file, findings);
}

function checkEntries(
  location: IndexLocation,
  file: IndexFile,
  objects: ReadonlyMap<string, boolean>,
  findings: FsckFindings,
): void {
  for (const { name, digest } of file.entries) {
    const quoted = JSON.stringify(name);
    const error = profileNameError(name);
    if (error !== null) {
      // Perun accepts any name; only names that no program would write count as damage.
      const list = looksForged.test(name) ? findings.problems : findings.notes;
      list.push({ ...location, digest, code: "bad-profile-name", message: `entry ${quoted}: ${error}` });
    }
    if (!objects.has(digest))
      findings.problems.push({
        ...location,
        digest,
        code: "object-missing",
        message: `object ${digest} of entry ${quoted} is not in the store`,
      });
  }
}

/** By name only: Perun sorts equal names by local time as text, whose order a clock change can reverse. */
function checkOrder(location: IndexLocation, file: IndexFile, findings: FsckFindings): void {
  const names = file.entries.map((entry) => entry.name);
  const unsorted = names.find((name, i) => i > 0 && compareByCodePoint(names[i - 1] ?? "", name) > 0);
  if (unsorted !== undefined)
    findings.problems.push({
      ...location,
      code: "unsorted-index",
      message: `entry ${JSON.stringify(unsorted)} is out of order`,
    });
}

function checkDuplicates(location: IndexLocation, file: IndexFile, findings: FsckFindings): void {
  const seen = new Set<string>();
  for (const { name, digest, time } of file.entries) {
    const key = JSON.stringify([name, digest, time]);
    if (seen.has(key))
      findings.problems.push({
        ...location,
        digest,
        code: "duplicate-entry",
        message: `entry ${JSON.stringify(name)} is listed twice`,
      });
    seen.add(key);
  }
}

function noteChecksum(location: IndexLocation, file: IndexFile, findings: FsckFindings): void {
  if (file.formatVersion === 1)
    findings.notes.push({ ...location, code: "old-index", message: "index of format version 1" });
  if (file.checksum === "absent")
    findings.notes.push({ ...location, code: "no-checksum", message: "Perun wrote this index without a checksum" });
  if (file.checksum === "stale")
    findings.notes.push({
      ...location,
      code: "stale-checksum",
      message: "Perun wrote to this index after its checksum; the next write updates the checksum",
    });
}
