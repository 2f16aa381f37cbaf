import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "vitest";
import { Playground } from "./program.ts";

interface Found {
  readonly outcome: string;
  readonly suspects: readonly { readonly commit: string; readonly subject: string }[];
  readonly merge: string | null;
  readonly obstacle: string | null;
  readonly measurements: readonly { readonly commit: string; readonly profile: string }[];
  readonly skipped: readonly { readonly commit: string; readonly reason: string }[];
  readonly earlier: number;
}

/** The program says itself how much it does, so that no test depends on the machine. */
const job = ["-C", "command", "-p", "{experiment: work.exp, description: work.inp}", "--build", "cp work.sh built.sh"];
const run = ["--", "sh", "built.sh"];

/** A project whose versions do so many steps each, or run that script. */
function projectOf(versions: readonly (number | string)[]): {
  readonly place: Playground;
  readonly ids: readonly string[];
} {
  const place = new Playground();
  const ids = versions.map((each, at) => commitOf(place, each, `version ${at}`));
  place.write("work.exp", "*experiment work\n*parameter host string - NULL once\n*result steps integer -\n");
  place.write("work.inp", "NAMED steps match=steps:\n");
  place.ok("init");
  return { place, ids };
}

function commitOf(place: Playground, version: number | string, subject: string): string {
  place.write("work.sh", `${typeof version === "number" ? `echo "steps: ${version}"` : version} # ${subject}\n`);
  return place.commit(subject, "work.sh");
}

/** Merges a branch into the current one; the merge does so many steps. */
function mergeOf(place: Playground, branch: string, version: number): string {
  place.git("merge", "-q", "-s", "ours", "--no-commit", "--no-ff", branch);
  return commitOf(place, version, `merge ${branch}`);
}

/** Versions of which those from `first` on do more. */
function steps(count: number, first: number): number[] {
  return Array.from({ length: count }, (_, at) => (at < first ? 1000 : 1050));
}

test(
  "the version that does more is found among sixteen, without " +
    "a version that fails, and nothing of the user's is touched",
  () => {
    const { place, ids } = projectOf(steps(17, 11).map((each, at) => (at === 8 ? "exit 125" : each)));
    place.write("work.sh", "echo changed\n");
    const before = place.git("status", "--porcelain=v2");
    const found = place.json("bisect", ids[0]!, ids[16]!, ...job, ...run) as Found;
    expect(found).toMatchObject({
      outcome: "found",
      suspects: [{ commit: ids[11], subject: "version 11" }],
      earlier: 0,
    });
    expect(found.skipped).toMatchObject([{ commit: ids[8] }]);
    expect(found.measurements.length).toBeLessThanOrEqual(4 + Math.log2(16));
    expect(place.git("status", "--porcelain=v2")).toBe(before);
    expect(place.git("worktree", "list").split("\n")).toHaveLength(1);

    const again = place.json("bisect", ids[0]!, ids[16]!, "--reuse", ...job, ...run) as Found;
    expect(again).toMatchObject({
      outcome: "found",
      suspects: [{ commit: ids[11] }],
      earlier: found.measurements.length,
    });
    expect(again.measurements).toHaveLength(found.measurements.length);
    const text = place.ok("bisect", "HEAD~16", "HEAD", "--reuse", ...job, ...run);
    expect(text).toContain("this commit made the change: 1000 -> 1050, +5 % [+5 %, +5 %]");
    expect(text).toContain(`  ${ids[11]!.slice(0, 8)} version 11\n`);
    expect(text).toContain("plain binary search with this confidence: 6 (1 per commit)");
  },
);

test("versions that fail before the one that does more are suspected with it", () => {
  const { place, ids } = projectOf([1000, 1000, "exit 1", "exit 1", 1050, 1050]);
  const ended = place.run(["bisect", ids[0]!, ids[5]!, ...job, "--format", "json", ...run]);
  expect(ended.status, ended.stderr).toBe(3);
  const { outcome, suspects } = JSON.parse(ended.stdout) as Found;
  expect(outcome).toBe("narrowed");
  expect(suspects.map(({ commit }) => commit)).toEqual(ids.slice(2, 5));
});

test("within a merge the version on its branch is found", () => {
  const { place, ids } = projectOf([1000, 1000]);
  place.git("checkout", "-q", "-b", "side", ids[0]!);
  const side = [1000, 1050, 1050].map((each, at) => commitOf(place, each, `side ${at}`));
  place.git("checkout", "-q", "main");
  const merge = mergeOf(place, "side", 1050);
  const last = commitOf(place, 1050, "last");
  const found = place.json("bisect", ids[0]!, last, ...job, ...run) as Found;
  expect(found).toMatchObject({ outcome: "found", merge, suspects: [{ commit: side[1] }] });
});

test("a commit of a merge within a merge is found", () => {
  const { place, ids } = projectOf([1000, 1000]);
  place.git("checkout", "-q", "-b", "outer", ids[0]!);
  commitOf(place, 1000, "outer 0");
  place.git("checkout", "-q", "-b", "inner");
  const inner = [1000, 1050, 1050].map((each, at) => commitOf(place, each, `inner ${at}`));
  place.git("checkout", "-q", "outer");
  commitOf(place, 1000, "outer 1");
  const innerMerge = mergeOf(place, "inner", 1050);
  commitOf(place, 1050, "outer 2");
  place.git("checkout", "-q", "main");
  const outerMerge = mergeOf(place, "outer", 1050);
  const found = place.json("bisect", ids[0]!, "HEAD", ...job, ...run) as Found;
  expect(found).toMatchObject({
    outcome: "found",
    merge: outerMerge,
    merges: [outerMerge, innerMerge],
    suspects: [{ commit: inner[1] }],
    candidates: 9,
    mainline: 2,
  });
  const text = place.ok("bisect", ids[0]!, "HEAD", "--reuse", ...job, ...run);
  expect(text).toContain(`within merge ${outerMerge.slice(0, 8)} > ${innerMerge.slice(0, 8)})`);
  expect(text).toContain("searched 9 commits, 2 on the main line, the others merged");
});

test("a merge that undoes a change of the main line is named with the commits that it brought in", () => {
  const { place } = projectOf([1050]);
  place.git("checkout", "-q", "-b", "side");
  const side = commitOf(place, 1050, "side");
  place.git("checkout", "-q", "main");
  const good = commitOf(place, 1000, "faster");
  const merge = mergeOf(place, "side", 1050);
  const ended = place.run(["bisect", good, "HEAD", ...job, "--format", "json", ...run]);
  expect(ended.status, ended.stderr).toBe(3);
  const { outcome, obstacle, suspects } = JSON.parse(ended.stdout) as Found;
  expect([outcome, obstacle]).toEqual(["narrowed", "alike"]);
  expect(suspects.map(({ commit }) => commit)).toEqual([merge, side]);
});

test("a search that was killed goes on with what it had measured, and measures nothing twice", async () => {
  const { place, ids } = projectOf(steps(17, 5));
  const words = ["bisect", ids[0]!, ids[16]!, ...job, "--format", "json"];
  const { child, ended } = place.begin([...words, ...run]);
  child.stderr.on("data", (text) => {
    if (String(text).includes("5: ")) child.kill("SIGKILL");
  });
  expect((await ended).status).toBeNull();
  const found = place.json(...words.slice(0, -2), "--resume", ...run) as Found;
  expect(found).toMatchObject({ outcome: "found", suspects: [{ commit: ids[5] }] });
  expect(found.earlier).toBeGreaterThanOrEqual(5);
  const resumed = place.json(...words.slice(0, -2), "--reuse", ...run) as Found;
  expect(resumed.measurements.length - found.measurements.length).toBeLessThanOrEqual(1);
  expect(place.git("worktree", "list").split("\n")).toHaveLength(1);
});

test("versions that do as much are told to be alike, and a budget ends a search", () => {
  const { place, ids } = projectOf([1000, 1000, 1050]);
  const alike = place.run(["bisect", ids[0]!, ids[1]!, "--most-runs", "8", ...job, ...run]);
  expect([alike.status, alike.stdout]).toEqual([3, expect.stringContaining("do not differ by more than their noise")]);
  const stopped = place.run(["bisect", ids[0]!, ids[2]!, "--most-runs", "2", ...job, ...run]);
  expect([stopped.status, stopped.stdout]).toEqual([
    3,
    expect.stringContaining("inconclusive: one of these commits made the change"),
  ]);
});

test("git bisect run is told what is worse, and stops where nothing can be told", () => {
  const { place, ids } = projectOf(steps(7, 4).map((each, at) => (at === 3 ? "exit 1" : each)));
  place.git("bisect", "start", ids[6]!, ids[0]!);
  const judge = [process.execPath, place.program, "bisect", "--predicate", "--base", ids[0]!, ...job];
  const environment = { ...process.env, HOME: place.home, XDG_CACHE_HOME: place.home, GIT_CONFIG_NOSYSTEM: "1" };
  const { status, stdout, stderr } = spawnSync("git", ["bisect", "run", ...judge, ...run], {
    cwd: place.folder,
    env: environment,
    encoding: "utf8",
  });
  expect(stdout, stderr).toContain("worse than");
  expect(stdout).toContain("cannot tell from");
  expect([status, stdout]).toEqual([2, expect.stringMatching(/The first bad commit could be any of:\s/)]);
  expect(stdout).toContain(ids[3]!);
  expect(stdout).toContain(ids[4]!);
  place.git("bisect", "reset");
  expect(place.run(["bisect", "--predicate", "--base", "no-such-version", ...job, ...run]).status).toBe(255);
});

describe("what cannot be searched", () => {
  let place: Playground;

  beforeAll(() => {
    ({ place } = projectOf(["exit 3", 1000, 1050]));
  });

  test.each([
    [["HEAD", "HEAD~1"], 2, "bisect-ends"],
    [["HEAD", "HEAD"], 2, "bisect-ends"],
    [["HEAD~1"], 2, "bad-usage"],
    [["HEAD~1", "HEAD", "--of", "amount"], 2, "bad-option"],
    [["HEAD~1", "HEAD", "--of", "nothing:sum"], 2, "unknown-column"],
    [["HEAD~1", "HEAD", "--confidence", "20%"], 2, "bad-option"],
    [["HEAD~1", "HEAD", "--min-effect", "1%"], 2, "unusable-combination"],
    [["HEAD~2", "HEAD"], 74, "bisect-end-unmeasurable"],
  ])("%j fails with %i, %s", (words, status, code) => {
    const ended = place.run(["bisect", ...words, ...job, ...run]);
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringContaining(`[${code}]`)]);
  });
});
