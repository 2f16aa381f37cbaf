import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { jsonObject } from "../../core/values/json.ts";
import { rowsOf } from "../../core/tables/table.ts";
import { profileOf } from "../../formats/profile/build-profile.ts";
import { ownIdentity } from "../../store/durable/process-identity.ts";
import { openBatch } from "./batch.ts";

let scratch: string;
let folder: string;
const now = Date.now();

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "perfkeep-batch-"));
  folder = join(scratch, "run", "batches");
});

afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const run = profileOf({
  type: "time",
  cmd: "x",
  workload: "",
  units: { time: "s" },
  collector: { name: "time", params: null },
  subjects: [{ properties: jsonObject({ uid: "x" }), columns: [{ name: "amount", type: "float", values: [0.25] }] }],
});

const fresh = { resumes: false, now };
const resumed = { resumes: true, now };

/** A batch left by a killed process. */
function killed(id: string, owner: unknown, key = "plan"): string {
  const path = join(folder, id.repeat(32));
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "owner.json"), JSON.stringify({ key, owner }));
  writeFileSync(join(path, "job.json"), '["a.perf"]');
  return path;
}

const dead = { ...ownIdentity(), pid: 2 ** 30 };

test("is created on the first write, and removed on completion", () => {
  const batch = openBatch(folder, "plan", fresh);
  expect([batch.recorded("job"), batch.storedPart("part")]).toEqual([null, null]);
  batch.end(false);
  expect(existsSync(folder)).toBe(false);
  batch.record("job", ["a.perf", "b.perf"]);
  batch.storePart("part", run);
  expect(batch.recorded("job")).toEqual(["a.perf", "b.perf"]);
  expect(rowsOf(batch.storedPart("part")!.data)).toEqual(rowsOf(run.data));
  batch.removePart("part");
  expect(batch.storedPart("part")).toBeNull();
  batch.end(true);
  expect(existsSync(folder)).toBe(false);
});

test("an incomplete batch is resumed once, by the same key", () => {
  const batch = openBatch(folder, "plan", fresh);
  batch.record("job", ["a.perf"]);
  writeFileSync(batch.files, "");
  expect(openBatch(folder, "plan", resumed).recorded("job")).toBeNull();
  batch.end(false);
  expect(openBatch(folder, "other", resumed).recorded("job")).toBeNull();
  const next = openBatch(folder, "plan", resumed);
  expect(next.recorded("job")).toEqual(["a.perf"]);
  expect([openBatch(folder, "plan", resumed).recorded("job"), existsSync(next.files)]).toEqual([null, false]);
});

test("a killed owner's batch is taken over, or removed without resume", () => {
  killed("a", dead);
  const next = openBatch(folder, "plan", resumed);
  expect(next.recorded("job")).toEqual(["a.perf"]);
  next.end(true);
  killed("a", dead);
  killed("b", dead, "other");
  openBatch(folder, "plan", fresh);
  expect(readdirSync(folder)).toEqual(["b".repeat(32)]);
});

test("batches of live owners and of other machines stay until they are too old", () => {
  const paths = [killed("a", ownIdentity()), killed("b", { ...dead, host: "elsewhere" })];
  openBatch(folder, "plan", fresh);
  expect(paths.map((path) => existsSync(path))).toEqual([true, true]);
  openBatch(folder, "plan", { ...fresh, now: now + 15 * 86_400_000 });
  expect(existsSync(folder)).toBe(false);
});

test("a batch without a readable owner is not taken over, and soon removed", () => {
  const path = killed("a", dead);
  rmSync(join(path, "owner.json"));
  expect(openBatch(folder, "plan", resumed).recorded("job")).toBeNull();
  expect(existsSync(path)).toBe(true);
  utimesSync(path, new Date(now - 7_200_000), new Date(now - 7_200_000));
  openBatch(folder, "plan", fresh);
  expect(existsSync(path)).toBe(false);
});

test.each(["", "{", '{"a":1}', "[1]", '"a.perf"', "null"])("the invalid record %j is ignored", (text) => {
  writeFileSync(join(killed("a", dead), "job.json"), text);
  expect(openBatch(folder, "plan", resumed).recorded("job")).toBeNull();
});

test("an unreadable measurement is repeated", () => {
  writeFileSync(join(killed("a", dead), "part.part"), "{");
  expect(openBatch(folder, "plan", resumed).storedPart("part")).toBeNull();
});

test("a link instead of the folder is refused and not followed", () => {
  const elsewhere = join(scratch, "elsewhere");
  mkdirSync(join(elsewhere, "c".repeat(32)), { recursive: true });
  mkdirSync(join(scratch, "run"));
  symlinkSync(elsewhere, folder);
  let failure: unknown;
  try {
    openBatch(folder, "plan", { ...fresh, now: now + 30 * 86_400_000 });
  } catch (error) {
    failure = error;
  }
  expect(isFailure(failure, "not-a-plain-file")).toBe(true);
  expect(readdirSync(elsewhere)).toHaveLength(1);
});
