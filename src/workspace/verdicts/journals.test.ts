import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MeasuredProject } from "../../../test/fakes/measured-project.ts";
import type { VersionId } from "../../core/versions/digest.ts";
import { SearchJournal, type SearchRecord } from "./journals.ts";

let place: MeasuredProject;

beforeEach(() => {
  place = new MeasuredProject();
});

afterEach(() => place.remove());

const version = "a".repeat(40) as VersionId;

const records: readonly SearchRecord[] = [
  { version, value: 0.1, unit: "s", profile: "one.perf" },
  { version, reason: "does not build" },
  { version, value: -1e300, unit: "", profile: "two.perf" },
];

function searches(): string {
  return join(place.path, ".perun", "run", "searches");
}

/** A search that was stopped after it had learnt all this. */
function stopped(): void {
  const journal = new SearchJournal(place.open(), { search: 1 }, false);
  for (const record of records) journal.add(record);
  journal.end(false);
}

test("what was learnt is there for the same search, once it is resumed, and goes on behind it", () => {
  stopped();
  expect(new SearchJournal(place.open(), { search: 2 }, true).load()).toEqual([]);
  const journal = new SearchJournal(place.open(), { search: 1 }, true);
  expect(journal.load()).toEqual(records);
  journal.add(records[0]!);
  journal.end(false);
  expect(new SearchJournal(place.open(), { search: 1 }, true).load()).toEqual([...records, records[0]]);
});

test("nothing is left of a search that is over, or that begins anew", () => {
  stopped();
  const journal = new SearchJournal(place.open(), { search: 1 }, true);
  journal.end(true);
  expect(new SearchJournal(place.open(), { search: 1 }, true).load()).toEqual([]);
  stopped();
  expect(new SearchJournal(place.open(), { search: 1 }, false).load()).toEqual([]);
});

test.each(["", "[]", '["x","1","s","p"]', `["${version}","","s","p"]`, `["${version}","1e999","s","p"]`, "{}"])(
  "what stands behind a damaged record is measured again: %s",
  (text) => {
    stopped();
    const [folder] = readdirSync(searches());
    writeFileSync(join(searches(), folder!, "1.json"), text);
    expect(new SearchJournal(place.open(), { search: 1 }, true).load()).toEqual(records.slice(0, 1));
    rmSync(searches(), { recursive: true });
  },
);
