import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Workspace } from "../../workspace/workspace.ts";
import { add } from "../profiles/register.ts";
import { init } from "../configuration/init.ts";
import { keptPages } from "./page-cache.ts";
import { knownPages } from "./cached-pages.ts";
import type { PageOptions } from "../report/page-data.ts";

const asked: PageOptions = {
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
  const parts = {
    origin: head,
    header,
    collector_info: { name: "time", params: {} },
    postprocessors: [],
    global: { time: "0.0", resources },
  };
  writeFileSync(path, JSON.stringify(parts));
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

const kept = (): string[] => readdirSync(join(folder, "home/.cache/perfkeep/pages"));

test("pages of the same store are those that were kept, to the last byte", async () => {
  const first = await knownPages(opened(), asked);
  expect(first.overview).toMatchObject({
    totals: { series: 1, points: 8 },
    words: { worse: 1 },
    changes: [{ key: first.series.facts.texts[3] }],
  });
  const second = await knownPages(opened(), asked);
  expect(second.overview).toEqual(first.overview);
  for (const part of ["versions", "series", "changes"] as const) {
    expect(second.message(part)).toEqual(first.message(part));
    expect(second[part]).toEqual(first[part]);
  }
  expect([second.blocks, second.points(0)]).toEqual([1, first.points(0)]);
  expect(kept()).toHaveLength(1);
});

test("a question with other words, or one that means something else at each time, is not answered by what was kept", async () => {
  const { made } = (await knownPages(opened(), asked)).overview;
  const others = [
    { program: "2" },
    { falseDiscoveryRate: 0.1 },
    { options: new Map([["max-pvalue", "0.01"]]) },
    { location: "f" },
  ];
  for (const other of others) expect((await knownPages(opened(), { ...asked, ...other })).overview.made).not.toBe(made);
  for (const timely of [{ range: "HEAD~4..HEAD" }, { since: "2020-01-01" }]) {
    const once = await knownPages(opened(), { ...asked, ...timely });
    expect((await knownPages(opened(), { ...asked, ...timely })).overview.made).not.toBe(once.overview.made);
  }
  const files = kept().length;
  await knownPages(opened(), { ...asked, keeps: false });
  expect([kept().length, (await knownPages(opened(), asked)).overview.made]).toEqual([files, made]);
});

test("a profile, a commit and a decision make new pages", async () => {
  let { made } = (await knownPages(opened(), asked)).overview;
  const renewed = async (): Promise<boolean> => {
    const before = made;
    made = (await knownPages(opened(), asked)).overview.made;
    return made !== before;
  };
  expect(await renewed()).toBe(false);
  await measure(20);
  expect([await renewed(), await renewed()]).toEqual([true, false]);
  execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "nothing"], {
    cwd: folder,
  });
  expect([await renewed(), await renewed()]).toEqual([true, false]);
  writeFileSync(join(folder, "perfkeep.triage"), "# nothing decided\n");
  expect([await renewed(), await renewed()]).toEqual([true, false]);
});

test("what was kept and is damaged is made anew", async () => {
  const { overview } = await knownPages(opened(), asked);
  const series = (await knownPages(opened(), asked)).message("series");
  for (const name of kept()) truncateSync(join(folder, "home/.cache/perfkeep/pages", name), 50);
  expect(keptPages(opened(), asked)).toBeUndefined();
  const again = await knownPages(opened(), asked);
  expect([again.overview.totals, again.message("series")]).toEqual([overview.totals, series]);
});
