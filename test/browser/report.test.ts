import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import type { SeriesColumns } from "../../src/core/pages/columns.ts";
import { unpackFrame, unpackPoints } from "../../src/core/pages/frame.ts";
import { Playground, timeProfile } from "../cli/program.ts";
import { expectAccessible } from "./accessibility.ts";
import { inBrowser } from "./browser.ts";

interface Overview {
  readonly outcomes: Record<string, number>;
  readonly totals: Record<string, number>;
  readonly changes: readonly {
    readonly key: string;
    readonly outcome: string;
    readonly delta: number;
    readonly since: { readonly after: string };
  }[];
}

const hostile = `<script>globalThis.hurt = 1</script> "quoted" \u202Egnp.exe`;

inBrowser("a report", (open) => {
  const playground = new Playground();
  const file = join(playground.folder, "report.html");
  const commits: string[] = [];
  const levels = [10, 10.1, 9.9, 10.05, 9.95, 10, 13, 13.1, 12.9, 13.05, 12.95, 13];

  beforeAll(() => {
    playground.commit("first");
    playground.ok("init");
    playground.write("io.exp", "*experiment io\nReads and writes\n*parameter size int\n*result rate float MB/s\n");
    playground.write("io.inp", 'TABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n');
    playground.write("io.plot", "PLOT io\nX size\nY rate\n");
    playground.ok("experiment", "create", "io.exp");
    for (const [at, level] of levels.entries()) {
      commits.push(playground.commit(at === 6 ? hostile : `change ${at}`));
      const amounts = [level, level * 1.01, level * 0.99];
      const profile = playground.write(
        `p${at}.perf`,
        timeProfile({ origin: commits[at] as string, amounts, cmd: "./work", workload: hostile }),
      );
      playground.ok("add", profile);
      playground.write(`r${at}.txt`, `size rate\n1 ${100 + (at % 3)}.${at}\n2 ${200 + (at % 3)}\n`);
      playground.ok("import", "-e", "io", "-d", "io.inp", `r${at}.txt`);
    }
    playground.ok("report", "-o", file, "--title", hostile);
  }, 120_000);

  const address = (hash: string): string => `${pathToFileURL(file).href}${hash}`;

  test("reports the same change as check", async () => {
    const overview = playground.json("report") as Overview;
    const checked = JSON.parse(playground.run(["check", "series", "--format", "json"]).stdout) as {
      readonly verdicts: readonly { outcome: string; delta: number }[];
    };
    const worse = overview.changes.filter(({ outcome }) => outcome === "worse");
    expect(worse).toHaveLength(1);
    expect(worse[0]?.since.after).toBe(commits[6]);
    expect(worse[0]?.delta).toBe(checked.verdicts.find(({ outcome }) => outcome === "worse")?.delta);
    const page = await open(address(""));
    await page.waitForSelector("html[data-ready] h1");
    expect(await page.textContent("main")).toContain("./work");
    await expectAccessible(page);
    expect(await page.evaluate(() => (globalThis as { hurt?: number }).hurt)).toBeUndefined();
  });

  test("contains every measured value", () => {
    const html = readFileSync(file, "utf8");
    const part = (id: string): Uint8Array => {
      const [, base64 = ""] = new RegExp(`id="${id}">([^<]*)<`).exec(html) ?? [];
      return new Uint8Array(inflateSync(Buffer.from(base64, "base64")));
    };
    const { facts, arrays } = unpackFrame<SeriesColumns["facts"], keyof SeriesColumns["arrays"]>(
      part("perfkeep-series"),
    );
    const of = [...arrays.key].findIndex((text) => (facts.texts[text] ?? "").includes("./work"));
    const points = unpackPoints(part(`perfkeep-points-${arrays.block[of]}`));
    const from = arrays.from[of] ?? 0;
    expect([...points.arrays.center.subarray(from, from + levels.length)]).toEqual(levels);
    expect([...points.arrays.n.subarray(from, from + levels.length)]).toEqual(levels.map(() => 3));
    expect([...points.arrays.high.subarray(from, from + levels.length)]).toEqual(levels.map((level) => level * 1.01));
    expect([...points.arrays.changes]).toContain(from + 6);
  });

  test.each([
    "#/series",
    "#/commits",
    "#/profiles",
    "#/compare",
    "#/compare?what=profiles",
    "#/experiments",
    "#/experiments/io",
    "#/environment",
  ])("%s opens from the disk", async (hash) => {
    const page = await open(address(hash));
    await page.waitForSelector("html[data-ready] h1");
    await page.waitForLoadState("networkidle");
    expect(await page.locator("main").textContent()).not.toMatch(/undefined|NaN|\[object/);
    await expectAccessible(page);
  });
});
