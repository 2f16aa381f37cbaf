import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workspace } from "../../workspace/workspace.ts";
import { add } from "../profiles/register.ts";
import { init } from "../configuration/init.ts";
import { loadPages } from "./page-cache.ts";
import { cachedPages } from "./cached-pages.ts";
import type { PageOptions } from "../report/page-data.ts";

const options: PageOptions = {
  allParents: false,
  method: "ensemble",
  options: new Map(),
  thresholds: true,
  falseDiscoveryRate: 0.05,
  allMachines: false,
  program: "1",
  keeps: true,
};

let folder: string;
let clock = 1_000_000;

function opened(): Workspace {
  const environment = { PATH: process.env["PATH"], HOME: join(folder, "home"), GIT_CONFIG_NOSYSTEM: "1" };
  return new Workspace({ directory: folder, environment, now: () => (clock += 1000), random: () => 0, command: "" });
}

async function measure(level: number): Promise<void> {
  execFileSync(
    "git",
    ["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", `level ${level}`],
    {
      cwd: folder,
    },
  );
  const resources = [{ amount: level, subtype: "real", type: "time", uid: "f" }];
  const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" }).trim();
  const header = { type: "time", cmd: "./x", workload: "", units: { time: "s" } };
  const path = join(folder, "p.perf");
  const profile = {
    origin: head,
    header,
    collector_info: { name: "time", params: {} },
    postprocessors: [],
    global: { time: "0.0", resources },
  };
  writeFileSync(path, JSON.stringify(profile));
  const { failed } = await add(opened(), {
    profiles: [path],
    keepProfile: false,
    force: false,
    allowDirty: true,
    confirm: null,
  });
  expect(failed).toEqual([]);
}

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "perfkeep-known-")));
  execFileSync("git", ["init", "-q"], { cwd: folder });
  await init(opened(), { vcsType: "git", vcsParams: {}, vcsFlags: [], template: "master" });
  for (const level of [10, 10, 10, 10, 20, 20, 20, 20]) await measure(level);
});
afterAll(() => rmSync(folder, { recursive: true }));

const cachedFiles = (): string[] => readdirSync(join(folder, "home/.cache/perfkeep/pages"));

test("returns identical cached pages for an unchanged store", async () => {
  const first = await cachedPages(opened(), options);
  expect(first.overview).toMatchObject({
    totals: { series: 1, points: 8 },
    outcomes: { worse: 1 },
    changes: [{ key: first.series.facts.texts[3] }],
  });
  const second = await cachedPages(opened(), options);
  expect(second.overview).toEqual(first.overview);
  for (const part of ["versions", "series", "changes"] as const) {
    expect(second.message(part)).toEqual(first.message(part));
    expect(second[part]).toEqual(first[part]);
  }
  expect([second.blocks, second.points(0)]).toEqual([1, first.points(0)]);
  expect(cachedFiles()).toHaveLength(1);
});

test("does not use the cache for other options or for options that depend on the time", async () => {
  const { generatedAt: made } = (await cachedPages(opened(), options)).overview;
  const others = [
    { program: "2" },
    { falseDiscoveryRate: 0.1 },
    { options: new Map([["max-pvalue", "0.01"]]) },
    { location: "f" },
  ];
  for (const other of others)
    expect((await cachedPages(opened(), { ...options, ...other })).overview.generatedAt).not.toBe(made);
  for (const timely of [{ range: "HEAD~4..HEAD" }, { since: "2020-01-01" }]) {
    const once = await cachedPages(opened(), { ...options, ...timely });
    expect((await cachedPages(opened(), { ...options, ...timely })).overview.generatedAt).not.toBe(
      once.overview.generatedAt,
    );
  }
  const files = cachedFiles().length;
  await cachedPages(opened(), { ...options, keeps: false });
  expect([cachedFiles().length, (await cachedPages(opened(), options)).overview.generatedAt]).toEqual([files, made]);
});

test("a profile, a commit and a triage decision invalidate the cache", async () => {
  let { generatedAt: made } = (await cachedPages(opened(), options)).overview;
  const isRebuilt = async (): Promise<boolean> => {
    const before = made;
    made = (await cachedPages(opened(), options)).overview.generatedAt;
    return made !== before;
  };
  expect(await isRebuilt()).toBe(false);
  await measure(20);
  expect([await isRebuilt(), await isRebuilt()]).toEqual([true, false]);
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "nothing"], {
    cwd: folder,
  });
  expect([await isRebuilt(), await isRebuilt()]).toEqual([true, false]);
  writeFileSync(join(folder, "perfkeep.triage"), "# nothing decided\n");
  expect([await isRebuilt(), await isRebuilt()]).toEqual([true, false]);
});

test("rebuilds damaged cached pages", async () => {
  const { overview } = await cachedPages(opened(), options);
  const series = (await cachedPages(opened(), options)).message("series");
  for (const name of cachedFiles()) truncateSync(join(folder, "home/.cache/perfkeep/pages", name), 50);
  expect(loadPages(opened(), options)).toBeUndefined();
  const again = await cachedPages(opened(), options);
  expect([again.overview.totals, again.message("series")]).toEqual([overview.totals, series]);
});
