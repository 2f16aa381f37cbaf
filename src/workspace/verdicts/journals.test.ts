import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MeasuredProject } from "../../../test/fakes/measured-project.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { SearchJournal, type SearchRecord } from "./journals.ts";

let project: MeasuredProject;

beforeEach(() => {
  project = new MeasuredProject();
});

afterEach(() => project.remove());

const version = "a".repeat(40) as VersionId;

const records: readonly SearchRecord[] = [
  { version, value: 0.1, unit: "s", profile: "one.perf" },
  { version, reason: "does not build" },
  { version, value: -1e300, unit: "", profile: "two.perf" },
];

function searches(): string {
  return join(project.path, ".perun", "run", "searches");
}

/** A stopped search with all records. */
function stopped(): void {
  const journal = new SearchJournal(project.open(), { search: 1 }, false);
  for (const record of records) journal.add(record);
  journal.end(false);
}

test("a resumed search continues after its records", () => {
  stopped();
  expect(new SearchJournal(project.open(), { search: 2 }, true).load()).toEqual([]);
  const journal = new SearchJournal(project.open(), { search: 1 }, true);
  expect(journal.load()).toEqual(records);
  journal.add(records[0]!);
  journal.end(false);
  expect(new SearchJournal(project.open(), { search: 1 }, true).load()).toEqual([...records, records[0]]);
});

test("a search that ended or starts again has no records", () => {
  stopped();
  const journal = new SearchJournal(project.open(), { search: 1 }, true);
  journal.end(true);
  expect(new SearchJournal(project.open(), { search: 1 }, true).load()).toEqual([]);
  stopped();
  expect(new SearchJournal(project.open(), { search: 1 }, false).load()).toEqual([]);
});

test.each(["", "[]", '["x","1","s","p"]', `["${version}","","s","p"]`, `["${version}","1e999","s","p"]`, "{}"])(
  "ignores records from a damaged one on: %s",
  (text) => {
    stopped();
    const [folder] = readdirSync(searches());
    writeFileSync(join(searches(), folder!, "1.json"), text);
    expect(new SearchJournal(project.open(), { search: 1 }, true).load()).toEqual(records.slice(0, 1));
    rmSync(searches(), { recursive: true });
  },
);
