import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SharingInstance, sharedVersions, withoutImports } from "../../../test/fakes/sharing-instance.ts";
import { push } from "./push.ts";
import { checkShare } from "./share-maintenance.ts";
import { collectShareGarbage } from "./share-maintenance.ts";

const [v1, v2] = sharedVersions as [(typeof sharedVersions)[0], (typeof sharedVersions)[0]];
let scratch: string;
let ada: SharingInstance;
let bob: SharingInstance;
let own: string;

beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), "damaged-share-"));
  const remote = join(scratch, "remote.git");
  spawnSync("git", ["init", "--quiet", "--bare", remote]);
  [ada, bob] = [
    await new SharingInstance(join(scratch, "ada"), remote).begin(),
    await new SharingInstance(join(scratch, "bob"), remote).begin(),
  ];
  own = join(bob.perun, "share/git");
  for (let at = 0; at < 3; at++) ada.add(v1, `${at}.perf`, at, { filler: `${at}`.repeat(3000) });
  await ada.push();
  await bob.pull();
  bob.add(v2, "bob.perf", 10);
  await bob.push();
});

afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** Files below a folder of the share repository, made writable. */
function files(below: string): string[] {
  const found = readdirSync(join(own, below), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = found.map(({ parentPath, name }) => join(parentPath, name));
  for (const path of paths) chmodSync(path, 0o644);
  return paths;
}

const packs = (ending: string): string[] => files("objects/pack").filter((path) => path.endsWith(ending));

const damages: Readonly<Record<string, () => void>> = {
  "packs are missing": () => packs("").forEach((path) => rmSync(path)),
  "packs are cut off": () => packs(".pack").forEach((path) => truncateSync(path, 100)),
  "indexes of packs are garbage": () => packs(".idx").forEach((path) => writeFileSync(path, "garbage")),
  "bytes of packs differ": () =>
    packs(".pack").forEach((path) => {
      const bytes = readFileSync(path);
      bytes.fill(0xff, 40, 120);
      writeFileSync(path, bytes);
    }),
  "refs are garbage": () => files("refs").forEach((path) => writeFileSync(path, "garbage\n")),
  "refs name missing commits": () => files("refs").forEach((path) => writeFileSync(path, `${"1".repeat(40)}\n`)),
  "refs are empty": () => files("refs").forEach((path) => truncateSync(path, 0)),
  "refs are zeros": () => files("refs").forEach((path) => writeFileSync(path, Buffer.alloc(41))),
  "the list of refs is garbage": () => appendFileSync(join(own, "packed-refs"), "garbage\n"),
  "a file replaces the objects folder": () => {
    rmSync(join(own, "objects"), { recursive: true });
    writeFileSync(join(own, "objects"), "");
  },
  "a link replaces the repository": () => {
    rmSync(own, { recursive: true });
    mkdirSync(join(scratch, "elsewhere"));
    symlinkSync(join(scratch, "elsewhere"), own);
  },
};

const recreated = ".perun/share/git was damaged and has been recreated; nothing is lost, its data can be fetched again";

const flaws = async (): Promise<readonly string[]> => (await checkShare(bob.workspace())).map(({ message }) => message);

test.each(Object.keys(damages))("%s: reported in one line, and repaired by pull and push", async (what) => {
  damages[what]!();
  expect(await flaws()).toEqual([
    expect.stringMatching(/^[^\n]{5,400}; the next push, pull or gc creates it again, nothing is lost$/),
  ]);
  ada.add(v1, "more.perf", 5);
  await ada.push();
  bob.add(v2, "own.perf", 6);
  const { notes } = (await bob.pull()).summary;
  const pushed = await bob.push();
  // Git itself fetches objects it finds missing.
  const isSeen = ["packs are missing", "packs are cut off", "indexes of packs are garbage"].includes(what);
  expect([...notes, ...pushed.notes]).toEqual(isSeen ? [] : [recreated]);
  await ada.pull();
  expect(bob.snapshot({ objects: true })).toEqual(ada.snapshot({ objects: true }));
  expect(ada.names(v2)).toEqual(["bob.perf", "own.perf"]);
  // Unneeded objects may remain.
  if (isSeen) await collectShareGarbage(bob.workspace());
  expect(await flaws()).toEqual([]);
});

test.each(["packs are missing", "bytes of packs differ", "refs name missing commits"])(
  "%s: an immediate push loses nothing",
  async (what) => {
    damages[what]!();
    bob.add(v2, "own.perf", 6);
    await bob.push();
    await ada.pull();
    expect(ada.names(v2)).toEqual(["bob.perf", "own.perf"]);
    expect(ada.names(v1)).toEqual(["0.perf", "1.perf", "2.perf"]);
  },
);

test.each(["packs are missing", "a file replaces the objects folder"])("%s: repaired by gc", async (what) => {
  damages[what]!();
  expect(await collectShareGarbage(bob.workspace())).toMatchObject({ notes: [recreated] });
  expect(await flaws()).toEqual([]);
  bob.add(v2, "own.perf", 6);
  await bob.push();
  expect((await collectShareGarbage(bob.workspace())).notes).toEqual([]);
});

test("a repository with a foreign configuration is not examined", async () => {
  const canary = join(scratch, "canary");
  appendFileSync(join(own, "config"), `[core]\nfsmonitor = touch ${canary}\n`);
  expect(await flaws()).toEqual([expect.stringContaining("its configuration is not the one that perfkeep writes")]);
  await bob.pull();
  expect(await flaws()).toEqual([]);
});

test("an intact or missing repository has no problems", async () => {
  expect(await flaws()).toEqual([]);
  rmSync(own, { recursive: true });
  expect(await flaws()).toEqual([]);
});

const halves: Readonly<Record<string, () => void>> = {
  "no HEAD": () => rmSync(join(own, "HEAD")),
  "an empty HEAD": () => truncateSync(join(own, "HEAD"), 0),
  "an empty configuration": () => truncateSync(join(own, "config"), 0),
  "only its objects": () => ["HEAD", "config", "refs"].forEach((name) => rmSync(join(own, name), { recursive: true })),
  "only folders": () => {
    rmSync(own, { recursive: true });
    mkdirSync(join(own, "objects/info"), { recursive: true });
  },
};

test.each(Object.keys(halves))("half a repository, with %s, is completed by the next command", async (what) => {
  for (const share of ["push", "pull"] as const) {
    halves[what]!();
    bob.add(v2, `${share}.perf`, 6);
    await bob[share]();
    expect(await flaws()).toEqual([]);
  }
  await bob.push();
  await ada.pull();
  expect(ada.names(v2)).toEqual(["bob.perf", "pull.perf", "push.perf"]);
});

test.each(["no HEAD", "an empty HEAD", "only its objects", "only folders"])(
  "half a repository, with %s, is not damaged",
  async (what) => {
    halves[what]!();
    expect(await flaws()).toEqual([]);
  },
);

test("a push ends although others keep adding to the same instance", async () => {
  let added = 0;
  const phase = (what: string): void => {
    if (what === "sending") bob.add(v2, `late-${added++}.perf`, 100 + added);
  };
  const settings = { filter: {}, replay: withoutImports, progress: { phase, show: () => {} } };
  bob.add(v2, "first.perf", 7);
  await push(bob.workspace(), bob.address, settings);
  expect(added).toBe(1);
  await ada.pull();
  expect(ada.names(v2)).toEqual(["bob.perf", "first.perf"]);
  await bob.push();
  await ada.pull();
  expect(ada.names(v2)).toEqual(["bob.perf", "first.perf", "late-0.perf"]);
});

test("packs and references are synced, in the own repository and in a folder as remote", async () => {
  const events = join(scratch, "events");
  const traced = new SharingInstance(join(scratch, "traced"), bob.address, { GIT_TRACE2_EVENT: events });
  await traced.begin();
  traced.add(v1, "traced.perf", 4);
  await traced.push();
  const lines = readFileSync(events, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const flushes = (command: string): number => {
    const sids = lines.filter(({ event, name }) => event === "cmd_name" && name === command).map(({ sid }) => sid);
    const counts = lines.filter(({ key, sid }) => key === "fsync/hardware-flush" && sids.includes(sid));
    return Math.max(0, ...counts.map(({ value }) => Number(value)));
  };
  // A pack and its index, at least, and a reference.
  expect({ own: flushes("fast-import"), fetched: flushes("fetch"), there: flushes("receive-pack") }).toEqual({
    own: 3,
    fetched: 1,
    there: 1,
  });
});
