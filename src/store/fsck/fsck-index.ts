import type { VersionId } from "../../core/versions/digest.ts";
import { compareByCodePoint } from "../../formats/text/code-points.ts";
import type { FsckFindings } from "./fsck-report.ts";
import { flawOf } from "../pending/pending.ts";
import type { IndexFile } from "../index/version-index.ts";

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const looksForged = /[\u0000-\u001f/]/;

/** The place of an index, as findings name it. */
interface Place {
  readonly path: string;
  readonly version: VersionId;
}

/**
 * Judges the entries of an index that could be read. `objects` maps the digests in the store to whether they are whole.
 */
export function checkIndex(
  place: Place,
  file: IndexFile,
  objects: ReadonlyMap<string, boolean>,
  findings: FsckFindings,
): void {
  checkEntries(place, file, objects, findings);
  checkOrder(place, file, findings);
  checkDuplicates(place, file, findings);
  noteChecksum(place, file, findings);
}

function checkEntries(
  place: Place,
  file: IndexFile,
  objects: ReadonlyMap<string, boolean>,
  findings: FsckFindings,
): void {
  for (const { name, digest } of file.entries) {
    const shown = JSON.stringify(name);
    const flaw = flawOf(name);
    if (flaw !== null) {
      // Perun takes any name; only what no program would write into an index is damage.
      const list = looksForged.test(name) ? findings.problems : findings.notes;
      list.push({ ...place, digest, code: "bad-profile-name", message: `entry ${shown}: ${flaw}` });
    }
    if (!objects.has(digest))
      findings.problems.push({
        ...place,
        digest,
        code: "object-missing",
        message: `object ${digest} of entry ${shown} is not in the store`,
      });
  }
}

/**
 * By name only: among equal names Perun sorts by the text of the local time, which a change of the clock can turn
 * round.
 */
function checkOrder(place: Place, file: IndexFile, findings: FsckFindings): void {
  const names = file.entries.map((entry) => entry.name);
  const late = names.find((name, i) => i > 0 && compareByCodePoint(names[i - 1] ?? "", name) > 0);
  if (late !== undefined)
    findings.problems.push({
      ...place,
      code: "unsorted-index",
      message: `entry ${JSON.stringify(late)} is out of order`,
    });
}

function checkDuplicates(place: Place, file: IndexFile, findings: FsckFindings): void {
  const seen = new Set<string>();
  for (const { name, digest, time } of file.entries) {
    const key = JSON.stringify([name, digest, time]);
    if (seen.has(key))
      findings.problems.push({
        ...place,
        digest,
        code: "duplicate-entry",
        message: `entry ${JSON.stringify(name)} is listed twice`,
      });
    seen.add(key);
  }
}

function noteChecksum(place: Place, file: IndexFile, findings: FsckFindings): void {
  if (file.formatVersion === 1)
    findings.notes.push({ ...place, code: "old-index", message: "index of format version 1" });
  if (file.checksum === "absent")
    findings.notes.push({ ...place, code: "no-checksum", message: "Perun wrote this index, without a checksum" });
  if (file.checksum === "stale")
    findings.notes.push({
      ...place,
      code: "stale-checksum",
      message: "Perun wrote to this index since its checksum was made; the next write renews it",
    });
}
