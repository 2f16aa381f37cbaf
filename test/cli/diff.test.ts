import { beforeAll, describe, expect, test } from "vitest";
import { explainVerdict, type Why } from "../../src/commands/verdicts/explain-verdict.ts";
import { whyJson, whyLines } from "../../src/cli/print/verdicts/explanation.ts";
import type { VersionId } from "../../src/core/versions/digest.ts";
import { Workspace } from "../../src/workspace/workspace.ts";
import { Playground } from "./program.ts";

interface Row {
  readonly name: string;
  readonly file: string | null;
  readonly change: number;
  readonly share: number;
}

interface Diff {
  readonly compared: readonly {
    readonly configuration: string;
    readonly differences: readonly { readonly rows: readonly Row[] }[];
  }[];
  readonly onlyBase: readonly string[];
  readonly onlyTarget: readonly string[];
}

/** Calls from the outside in, `name@file`, and what the last one costs. */
function sampled(
  origin: string,
  stacks: Readonly<Record<string, number>>,
  { cmd = "./bench", collector = "perf", subtype = "cycles" } = {},
): string {
  const frame = (word: string): object => ({ function: word.split("@")[0], source: word.split("@")[1] });
  const all = Object.entries(stacks).map(([stack, amount]) => ({
    trace: stack.split(";").map(frame).toReversed(),
    amount,
  }));
  return JSON.stringify({
    origin,
    resources: Object.fromEntries(all.map(({ amount }, at) => [`r#${at}`, { amount: [amount] }])),
    resource_type_map: Object.fromEntries(
      all.map(({ trace }, at) => [`r#${at}`, { type: "time", subtype, uid: trace[0], trace }]),
    ),
    header: { type: "time", cmd, workload: "big", units: { time: "ms" } },
    collector_info: { name: collector, params: {} },
    postprocessors: [],
  });
}

let place: Playground;
let ids: string[];

beforeAll(() => {
  place = new Playground();
  place.write("src/a.c", "one");
  const first = place.commit("First", "src/a.c");
  place.ok("init");
  place.write("README", "x");
  const readme = place.commit("Add a readme", "README");
  place.write("src/a.c", "two");
  const slow = place.commit("Sum\u001b[31m twice", "src/a.c");
  place.write("test/t.c", "x");
  const last = place.commit("Tests", "test/t.c");
  ids = [first, readme, slow, last];
  const add = (name: string, version: string, content: string): void => {
    place.write(name, content);
    place.ok("add", "-m", version, name);
  };
  add(
    "old.perf",
    first,
    sampled(first, { "main@/tmp/one/src/a.c;sum@/tmp/one/src/a.c": 100, "main@/tmp/one/src/a.c;io@lib/io.c": 50 }),
  );
  add(
    "new.perf",
    last,
    sampled(last, { "main@/tmp/two/src/a.c;sum@/tmp/two/src/a.c": 190, "main@/tmp/two/src/a.c;io@lib/io.c": 40 }),
  );
  add("old-other.perf", first, sampled(first, { "f@f.c": 1 }, { cmd: "./gone" }));
  add("new-other.perf", last, sampled(last, { "f@f.c": 1 }, { cmd: "./fresh" }));
});

describe("diff", () => {
  const rowsOf = (found: Diff): readonly Row[] => found.compared[0]!.differences[0]!.rows;

  test("compares the profiles of two versions by their configurations", () => {
    const found = place.json("diff", ids[0]!, "HEAD") as Diff;
    expect(found.compared.map(({ configuration }) => configuration)).toEqual(["perf ./bench big"]);
    expect([found.onlyBase, found.onlyTarget]).toEqual([["perf ./gone big"], ["perf ./fresh big"]]);
    expect(rowsOf(found).map(({ name, change, share }) => [name, change, share])).toEqual([
      ["sum", 90, 0.9],
      ["io", -10, -0.1],
    ]);
  });

  test("compares two profiles, wherever they are, and whatever their configurations", () => {
    place.write("loose.perf", sampled(ids[3]!, { "main@src/a.c;sum@src/a.c": 300 }, { cmd: "./else" }));
    const found = place.json("diff", `${ids[0]}^old.perf`, "loose.perf") as Diff;
    expect(rowsOf(found).map(({ name, change }) => [name, change])).toEqual([
      ["sum", 200],
      ["io", -50],
    ]);
  });

  test("is a table for people, and every digit for programs", () => {
    const text = place.ok("diff", ids[0]!, "HEAD");
    expect(text).toMatch(/cycles: 150 -> 230 ms \(\+53\.3 %\)/);
    expect(text).toMatch(/\+90\.0 % +\+90 +100 +190 +100 -> 190 +sum +\/tmp\/two\/src\/a\.c/);
    expect(text).toContain("only in the base: perf ./gone big");
    const csv = place.ok("diff", ids[0]!, "HEAD", "--by", "stack", "--limit", "1", "--format", "csv");
    expect(csv.split("\r\n")[1]).toBe("perf ./bench big,cycles,ms,main;sum,,0.9,90,100,190,100,190,,");
    expect(place.ok("diff", ids[0]!, "HEAD", "--by", "file", "--format", "markdown")).toMatch(
      /\| +\+90\.0 % \|.*\| a\.c \|/,
    );
  });

  test("leaves out what is small or too much, and says so", () => {
    expect(place.ok("diff", ids[0]!, "HEAD", "--min-share", "20%")).toMatch(/sum[^]*1 more/);
    expect(place.ok("diff", ids[0]!, "HEAD", "--min-share", "0.95")).toContain("2 small differences");
    expect(place.run(["diff", ids[0]!, "HEAD", "--min-share", "2"])).toMatchObject({ status: 2 });
  });

  test("of two versions, takes the profiles that are named", () => {
    expect((place.json("diff", ids[0]!, "HEAD", "new.perf") as Diff).compared).toHaveLength(1);
    expect(place.run(["diff", ids[0]!, "HEAD", "new-other.perf"])).toMatchObject({ status: 3 });
    expect(place.run(["diff", ids[0]!, "HEAD", "nothing.perf"])).toMatchObject({ status: 5 });
  });

  test("draws the profiles of two versions, all or those that are named", () => {
    for (const words of [[], ["new.perf"]]) {
      const drawn = place.ok("diff", ids[0]!, "HEAD", "flamegraph", ...words);
      expect(drawn).toMatch(/150 ms → 230 ms \(\+53\.3 %\)[^]* sum$/m);
      expect(drawn.includes("only in the base: perf ./gone big")).toBe(words.length === 0);
    }
    const told = place.ok("diff", ids[0]!, "HEAD", "report");
    expect(told).toMatch(new RegExp(`origin +${ids[0]} +${ids[3]} +differs`));
    expect(told).toMatch(/cycles +ms +150 +230 +\+53\.3 %[^]*\+90\.0 % .* sum .* main$/m);
  });

  test.each([
    ["versions without comparable profiles", () => [ids[1]!, ids[2]!], 3, "nothing-to-compare"],
    ["a version and a profile", () => ["HEAD", "0@i"], 2, "unusable-combination"],
    ["a version and nothing known", () => ["HEAD", "no-such-word"], 5, "profile-not-found"],
    ["profiles and others besides", () => ["0@i", "1@i", "0@i"], 2, "unusable-combination"],
  ])("refuses %s", (_, words, status, code) => {
    const ended = place.run(["diff", ...words()]);
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringContaining(`[${code}]`)]);
  });

  test("never says that profiles of different events are the same", () => {
    place.write("events.perf", sampled(ids[3]!, { "f@f.c": 1 }, { subtype: "cache-misses" }));
    expect(place.run(["diff", `${ids[0]}^old.perf`, "events.perf"])).toMatchObject({ status: 3 });
  });
});

describe("why", () => {
  const explain = async (from: number | null, to: number, benchmark = "time ./bench big"): Promise<Why | null> => {
    const directory = place.folder;
    const workspace = new Workspace({
      directory,
      environment: { PATH: process.env["PATH"] },
      now: () => 0,
      random: () => 0,
      command: "test",
    });
    const suspects = ids.slice((from ?? -1) + 1, to + 1) as VersionId[];
    const since = { before: from === null ? null : (ids[from] as VersionId), after: ids[to] as VersionId, suspects };
    return explainVerdict(workspace, { subject: { benchmark }, since });
  };

  test("suspects are ranked by what changed in the files that they touched", async () => {
    const why = (await explain(0, 3))!;
    expect(why.profiles.map(({ configuration }) => configuration)).toEqual(["perf ./bench big"]);
    expect(why.suspects).toMatchObject([
      { commit: ids[2], author: "Ada", files: ["src/a.c"], touched: [{ path: "src/a.c", name: "sum", share: 0.9 }] },
      { commit: ids[1], subject: "Add a readme", files: ["README"], touched: [] },
      { commit: ids[3], subject: "Tests", files: ["test/t.c"], touched: [] },
    ]);
    expect(whyLines(why).join("\n")).toMatch(
      /perf \.\/bench big, cycles: 150 -> 230 ms[^]*\+90\.0 % of the change: sum[^]*3 commits may have caused it/,
    );
    expect(JSON.stringify(whyJson(why))).toContain('"unit":"ms"');
  });

  test("without profiles of both versions there are still suspects", async () => {
    expect(await explain(1, 2)).toMatchObject({ profiles: [], suspects: [{ commit: ids[2] }], omitted: 0 });
    expect(await explain(null, 1)).toMatchObject({
      profiles: [],
      suspects: [{ commit: ids[0] }, { commit: ids[1] }],
    });
  });

  test("check head tells it of what changed", () => {
    for (const [at, amount] of [
      [0, 100],
      [3, 500],
    ] as const) {
      place.write("steep.perf", sampled(ids[at]!, { "main@src/a.c;sum@src/a.c": amount }, { cmd: "./steep" }));
      place.ok("add", "-m", ids[at]!, "steep.perf");
    }
    const words = ["check", "head", "--why", "--method", "average-amount"];
    const { status, stdout } = place.run(words);
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/why:\n.*cycles: 100 -> 500 ms[^]*\+100\.0 % of the change: sum/),
    ]);
    expect(stdout).toMatch(/3 commits may have caused it:\n +[0-9a-f]{8} Sum\^\[\[31m twice/);
    const found = JSON.parse(place.run([...words, "--format", "json"]).stdout) as {
      versions: { checks: { why?: { suspects: { version: string }[] } }[] }[];
    };
    const whys = found.versions[0]!.checks.flatMap(({ why }) => why ?? []);
    expect(whys.map(({ suspects }) => suspects.map(({ version }) => version))).toContainEqual([ids[2], ids[1], ids[3]]);
  });

  test("where nothing happened there is nothing to explain", async () => {
    expect(await explainVerdict({} as Workspace, { subject: { benchmark: "x" }, since: null })).toBeNull();
  });
});
