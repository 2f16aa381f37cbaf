import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { SharingInstance, sharedVersions, withoutImports } from "../../../test/fakes/sharing-instance.ts";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { StoreLock } from "../../store/durable/lock.ts";
import { Objects } from "../../store/objects/objects.ts";
import { pull } from "./pull.ts";
import { push } from "./push.ts";

const scratch = mkdtempSync(join(tmpdir(), "perfkeep-sharing-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const [v1, v2, v3] = sharedVersions as [
  (typeof sharedVersions)[0],
  (typeof sharedVersions)[0],
  (typeof sharedVersions)[0],
];
let count = 0;
let folder: string;
let remote: string;

beforeEach(() => newScene());

function newScene(): void {
  folder = join(scratch, String(count++));
  remote = join(folder, "remote.git");
  mkdirSync(folder);
  git(folder, "init", "--quiet", "--bare", remote);
}

function git(directory: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: directory,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: scratch },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function instance(name: string): Promise<SharingInstance> {
  return new SharingInstance(join(folder, name), remote).begin();
}

test("transfers profiles, indexes and changes byte by byte", async () => {
  const [ada, bob] = [await instance("ada"), await instance("bob")];
  ada.add(v1, "first.perf", 1);
  ada.add(v1, "second ü.perf", 2);
  ada.add(v3, "third.perf", 3, { collector: "a b-ü" });
  const line = `f PerformanceChange.Degradation order x y 2.0 rate 0.9 1.0 ${v2} cmd`;
  ada.store().changes.replaceLines(v1, [line, "not a change"]);
  const pushed = await ada.push();
  expect(pushed.sent.map(({ kind: part, count: sent }) => [part, sent])).toEqual([
    ["changes", 1],
    ["sets", 2],
    ["objects", 3],
  ]);
  expect(pushed.wireBytes).toBeGreaterThan(100);
  expect((await ada.push()).sent).toEqual([]);
  const { summary } = await bob.pull();
  expect(summary).toEqual({ counts: { "changes added": 2, "profiles added": 3, "profiles received": 3 }, notes: [] });
  expect(bob.snapshot({ objects: true })).toEqual(ada.snapshot({ objects: true }));
  expect((await bob.pull()).summary.counts).toEqual({});
  expect((await bob.push()).sent).toEqual([]);
  expect((await bob.store().fsck()).problems).toEqual([]);
});

test("reports progress", async () => {
  const [ada, bob] = [await instance("ada"), await instance("bob")];
  for (let at = 0; at < 5; at++) ada.add(v1, `${at}.perf`, at);
  const recorder = (): { events: string[]; settings: Parameters<typeof push>[2] } => {
    const events: string[] = [];
    const progress = {
      phase: (what: string) => events.push(what),
      show: (done: number, total: number) => events.push(`${done}/${total}`),
    };
    return { events, settings: { filter: {}, replay: withoutImports, progress } };
  };
  const [sending, taking] = [recorder(), recorder()];
  await push(ada.workspace(), remote, sending.settings);
  await pull(bob.workspace(), remote, taking.settings);
  const inOrder = (events: readonly string[], ...wanted: readonly string[]): void =>
    expect(events.filter((each) => wanted.includes(each)).slice(0, wanted.length)).toEqual(wanted);
  inOrder(sending.events, "getting", "packing", "5/6", "sending");
  inOrder(
    taking.events,
    "getting",
    "verifying versions",
    "1/1",
    "verifying profiles",
    "5/5",
    "writing versions",
    "0/1",
  );
});

test("transfers removals and renames, and keeps concurrent additions", async () => {
  const [ada, bob] = [await instance("ada"), await instance("bob")];
  for (const amount of [1, 2, 3]) ada.add(v1, `${amount}.perf`, amount);
  await ada.push();
  await bob.pull();
  ada.remove(v1, "1.perf");
  ada.rename(v1, "2.perf", "two.perf");
  bob.remove(v1, "3.perf");
  bob.add(v1, "4.perf", 4);
  await bob.push();
  await ada.push();
  await bob.pull();
  await ada.pull();
  expect(ada.names(v1)).toEqual(["4.perf", "two.perf"]);
  expect(bob.snapshot()).toEqual(ada.snapshot());
  // Ada has not seen that carol has it, too.
  const carol = await instance("carol");
  carol.add(v1, "4.perf", 4);
  ada.remove(v1, "4.perf");
  await ada.push();
  await carol.push();
  await ada.pull();
  expect(ada.names(v1)).toEqual(["4.perf", "two.perf"]);
});

test("merges registrations of the same profile, with the earlier time", async () => {
  const [ada, bob] = [await instance("ada"), await instance("bob")];
  ada.add(v1, "x.perf", 1, { time: 2000 });
  bob.add(v1, "x.perf", 1, { time: 1000 });
  for (const each of [ada, bob]) await each.push();
  for (const each of [ada, bob]) await each.pull();
  expect(ada.store().versions.entries(v1)).toMatchObject([{ name: "x.perf", time: 1000 }]);
  expect(bob.snapshot()).toEqual(ada.snapshot());
  expect((await ada.push()).sent).toEqual([]);
});

test("a filter excludes without removing; the rest comes without it", async () => {
  const [ada, bob] = [await instance("ada"), await instance("bob")];
  ada.add(v1, "old.perf", 1, { time: 100 });
  ada.add(v1, "memory.perf", 2, { time: 5000, collector: "memory" });
  ada.add(v1, "large.perf", 3, { time: 5000, filler: "x".repeat(5000) });
  ada.add(v1, "new.perf", 4, { time: 5000 });
  await ada.push();
  const filter = { since: 1000, collector: "time", sizeLimit: 2000 };
  const { summary } = await bob.pull(filter);
  expect(bob.names(v1)).toEqual(["new.perf"]);
  expect(summary.counts).toEqual({ "profiles added": 1, "profiles received": 1 });
  expect(summary.notes).toEqual(["registered elsewhere and not fetched: 3"]);
  await bob.pull(filter);
  expect((await bob.push()).sent).toEqual([]);
  await ada.pull();
  expect(ada.names(v1)).toHaveLength(4);
  await bob.pull();
  expect(bob.snapshot({ objects: true })).toEqual(ada.snapshot({ objects: true }));
});

test("profiles excluded from a push are sent by a later one", async () => {
  const [ada, bob] = [await instance("ada"), await instance("bob")];
  ada.add(v1, "large.perf", 1, { filler: "x".repeat(5000) });
  ada.add(v1, "small.perf", 2);
  await ada.push({ sizeLimit: 2000 });
  await bob.pull();
  expect(bob.names(v1)).toEqual(["small.perf"]);
  await ada.push();
  await bob.pull();
  expect(bob.names(v1)).toEqual(["large.perf", "small.perf"]);
});

test("a dry run reports the same and changes nothing", async () => {
  const [ada, bob] = [await instance("ada"), await instance("bob")];
  ada.add(v1, "x.perf", 1);
  await ada.push();
  const before = bob.everything();
  expect((await bob.pull({}, true)).summary.counts).toEqual({ "profiles added": 1, "profiles received": 1 });
  expect(bob.everything()).toEqual(before);
  expect((await bob.pull()).summary.counts).toEqual({ "profiles added": 1, "profiles received": 1 });
});

test("five concurrent pushes succeed", async () => {
  const people = await Promise.all(["a", "b", "c", "d", "e"].map((name) => instance(name)));
  for (const [i, each] of people.entries()) for (const version of sharedVersions) each.add(version, `${i}.perf`, i);
  const pushed = await Promise.all(people.map((each) => each.push()));
  for (const each of people) await each.pull();
  expect(people[0]!.names(v1)).toHaveLength(5);
  for (const each of people) expect(each.snapshot()).toEqual(people[0]!.snapshot());
  expect(pushed.flatMap(({ sent }) => sent.filter(({ kind: part }) => part === "objects"))).toHaveLength(5);
});

test("a push restores known data to a reset remote", async () => {
  const [ada, bob] = [await instance("ada"), await instance("bob")];
  ada.add(v1, "x.perf", 1);
  await ada.push();
  await bob.pull();
  git(remote, "update-ref", "-d", "refs/perfkeep/data/v1");
  expect((await bob.pull()).hasSharedData).toBe(false);
  bob.add(v1, "y.perf", 2);
  await bob.push();
  await ada.pull();
  expect(ada.names(v1)).toEqual(["x.perf", "y.perf"]);
});

test("stored state and the share repository can be lost", async () => {
  const [ada, bob] = [await instance("ada"), await instance("bob")];
  ada.add(v1, "x.perf", 1);
  await ada.push();
  await bob.pull();
  rmSync(join(bob.perun, "share"), { recursive: true });
  bob.add(v1, "y.perf", 2);
  await bob.pull();
  await bob.push();
  await ada.pull();
  expect(ada.snapshot()).toEqual(bob.snapshot());
  expect(ada.names(v1)).toEqual(["x.perf", "y.perf"]);
});

test("names that cannot be shared stay local", async () => {
  const ada = await instance("ada");
  ada.add(v1, "x.perf", 1);
  const { versions } = ada.store();
  ada.add(v2, "line\u2028end.perf", 2);
  await ada.push();
  const bob = await instance("bob");
  bob.add(v2, "other.perf", 3);
  await bob.push();
  await ada.pull();
  expect(versions.entries(v2).map(({ name }) => name)).toEqual(["line\u2028end.perf", "other.perf"]);
});

test("reports a damaged object and sends the rest", async () => {
  const ada = await instance("ada");
  const digest = ada.add(v1, "x.perf", 1);
  ada.add(v1, "y.perf", 2);
  writeFileSync(join(ada.perun, "objects", digest.slice(0, 2), digest.slice(2)), "x");
  const pushed = await ada.push();
  expect(pushed.notes).toEqual([expect.stringContaining(`not sent: object ${digest} is damaged`)]);
  const bob = await instance("bob");
  await bob.pull();
  expect(bob.names(v1)).toEqual(["y.perf"]);
});

test("a push ends if the disk cannot read an object", async () => {
  const ada = await instance("ada");
  ada.add(v1, "x.perf", 1);
  const failure = new Failure("cannot-read", { path: "x", reason: "EIO" });
  const read = vi.spyOn(Objects.prototype, "withStream").mockImplementationOnce(() => {
    throw failure;
  });
  await expect(ada.push()).rejects.toBe(failure);
  read.mockRestore();
  expect((await ada.push()).notes).toEqual([]);
});

test("a large push is one pack, without damaged and excluded profiles", async () => {
  const [ada, bob] = [await instance("ada"), await instance("bob")];
  const damaged = ada.add(v1, "damaged.perf", 1);
  ada.add(v1, "large.perf", 2, { filler: "x".repeat(5000) });
  for (let at = 0; at < 100; at++) ada.add(at % 2 === 0 ? v1 : v2, `${at}.perf`, at + 3);
  writeFileSync(join(ada.perun, "objects", damaged.slice(0, 2), damaged.slice(2)), "x");
  const pushed = await ada.push({ sizeLimit: 2000 });
  expect(pushed.notes).toEqual([
    expect.stringContaining(`not sent: object ${damaged} is damaged`),
    "excluded by options: 1 profile",
  ]);
  expect(pushed.sent.find(({ kind }) => kind === "objects")?.count).toBe(100);
  expect(pushed.payloadBytes).toBeGreaterThan(100 * 100);
  const repository = join(ada.perun, "share", "git");
  expect(git(repository, "fsck", "--no-dangling", "--no-progress")).toBe("");
  // The profiles, and the commit with its trees.
  expect(readdirSync(join(repository, "objects", "pack")).filter((name) => name.endsWith(".pack"))).toHaveLength(2);
  await bob.pull();
  expect(bob.names(v2)).toHaveLength(50);
  expect((await bob.push()).sent).toEqual([]);
  // A later push names the blobs that are there.
  await ada.push();
  await bob.pull();
  expect(bob.names(v1)).toContain("large.perf");
});

test("ignores locks of a killed git, but not a concurrent push of the instance", async () => {
  const ada = await instance("ada");
  ada.add(v1, "x.perf", 1);
  await ada.push();
  const refs = join(ada.perun, "share/git/refs/perfkeep/remotes");
  const ref = readFileSync(join(ada.perun, "share/git/HEAD"), "utf8");
  expect(ref).toContain("refs/heads/none");
  expect(existsSync(refs)).toBe(true);
  const name = spawnSync("ls", [refs], { encoding: "utf8" }).stdout.trim();
  writeFileSync(join(refs, `${name}.lock`), "");
  git(remote, "update-ref", "-d", "refs/perfkeep/data/v1");
  ada.add(v1, "y.perf", 2);
  await ada.push();
  const bob = await instance("bob");
  bob.add(v1, "z.perf", 3);
  await bob.push();
  writeFileSync(join(refs, `${name}.lock`), "");
  expect((await ada.pull()).summary.counts["profiles added"]).toBe(1);
  const other = new StoreLock(join(ada.perun, "share/lock"), "other", 1);
  await other.holdAsync(async () => {
    const impatient = new StoreLock(join(ada.perun, "share/lock"), "another", 1);
    await expect(impatient.holdAsync(async () => {})).rejects.toSatisfy((error) => isFailure(error, "lock-held"));
  });
});

const acts = fc.array(
  fc.record({
    who: fc.nat({ max: 2 }),
    act: fc.constantFrom("add", "add", "remove", "rename", "change", "push", "pull"),
    version: fc.constantFrom(...sharedVersions),
    number: fc.nat({ max: 4 }),
  }),
  { minLength: 4, maxLength: 14 },
);

test("random histories of two and three instances converge through git", { timeout: 3_600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(acts, fc.integer({ min: 2, max: 3 }), async (history, people) => {
      newScene();
      const all = await Promise.all(Array.from({ length: people }, (_, i) => instance(String(i))));
      for (const { who, act, version, number } of history) {
        const each = all[who % people]!;
        if (act === "add") each.add(version, `${number}.perf`, number, { time: 1000 + who });
        else if (act === "remove") each.remove(version, `${number}.perf`);
        else if (act === "rename") each.rename(version, `${number}.perf`, `${(number + 1) % 5}.perf`);
        else if (act === "change")
          each.store().changes.replaceLines(version, [`f${number} is what it is`, `by ${who}`]);
        else await each[act]();
      }
      for (const each of all) await each.push();
      for (const each of all) await each.pull();
      for (const each of all) expect(each.snapshot()).toEqual(all[0]!.snapshot());
      for (const each of all) expect((await each.push()).sent).toEqual([]);
    }),
    { numRuns: Number(process.env["PERFKEEP_SHARED_HISTORIES"] ?? 8) },
  );
});
