import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { Playground, timeProfile } from "../cli/program.ts";
import { inBrowser } from "./browser.ts";

interface Trends {
  readonly series: readonly {
    readonly subject: { readonly source: string; readonly key: string };
    readonly points: readonly { readonly value: number }[];
  }[];
}

/** Commits of which the changes are at 6 (+39 %) and 20 (-20 %); the release is commit 14. */
const [commits, first, second, release] = [90, 6, 20, 14];
const levelAt = (at: number): number => (at < first ? 10 : at < second ? 13.9 : 11.1) * (1 + 0.004 * Math.sin(at * 7));

/** A history of empty commits, made by one process. */
function history(folder: string): string[] {
  const git = (words: readonly string[], input = ""): string =>
    spawnSync("git", words, { cwd: folder, input, encoding: "utf8" }).stdout.trim();
  const lines = Array.from({ length: commits }, (_, at) => {
    const message = `change ${at}`;
    const committer = `committer Ada <ada@example.org> ${1.6e9 + at * 3600} +0000`;
    const head = ["commit refs/heads/main", `mark :${at + 1}`, committer, `data ${message.length}`, message];
    return [...head, ...(at === 0 ? [] : [`from :${at}`]), ""].join("\n");
  });
  git(["init", "-q", "-b", "main"]);
  git(["fast-import", "--quiet"], `${lines.join("\n")}\nreset refs/tags/v1\nfrom :${release + 1}\n\n`);
  return git(["rev-list", "--reverse", "main"]).split("\n");
}

/** The lines of a chart by the number in their legend, with the coordinates of their points read off the axes. */
function linesOf(svg: string): (readonly [name: number, points: readonly (readonly [x: number, y: number])[]])[] {
  const tick = (anchor: string, at: number): ((pixels: number) => number) => {
    const text = new RegExp(
      `text-anchor="${anchor}" style[^>]*translate\\(([\\d.]+) ([\\d.]+)\\)"[^>]*>([\\d]+)<`,
      "g",
    );
    const ticks = [...svg.matchAll(text)].map((found) => [Number(found[at]), Number(found[3])] as const);
    const [[low, first], [high, last]] = [ticks[0]!, ticks.at(-1)!];
    return (pixels) => first + ((pixels - low) / (high - low)) * (last - first);
  };
  const [xOf, yOf] = [tick("middle", 1), tick("end", 2)];
  const legend = [...svg.matchAll(/<path d="M[\d.]+ 10h22" stroke="(#\w+)".*?<text[^>]*>\w+=(\d+)</g)];
  return legend.map(([, color, name]) => {
    const [, path = ""] = new RegExp(`<path d="M([^"h]+L[^"h]+)" fill="none" stroke="${color}"`).exec(svg) ?? [];
    const points = path.split("L").map((point) => point.trim().split(/[ ,]/).map(Number));
    return [Number(name), points.map(([x = NaN, y = NaN]) => [xOf(x), yOf(y)] as const)] as const;
  });
}

/* Reads numbers back out of what pages draw, and compares them with those that the program exports. */
inBrowser("numbers of the drawn pages", (open) => {
  const playground = new Playground();
  let values: readonly number[] = [];
  let key = "";
  const at = async (hash: string, ready: string): Promise<Page> => {
    const page = await open(`${pathToFileURL(join(playground.folder, "report.html")).href}${hash}`);
    await page.waitForSelector(ready);
    return page;
  };

  beforeAll(() => {
    const files = history(playground.folder).map((origin, commit) =>
      playground.write(
        `p${commit}.perf`,
        timeProfile({ origin, amounts: [1, 1.001, 0.999].map((f) => f * levelAt(commit)) }),
      ),
    );
    playground.ok("init");
    playground.ok("add", ...files);
    const names = ["size", "np", "mode", "seed"];
    const table = names.map((name) => `*parameter ${name} int\n`).join("");
    playground.write("io.exp", `*experiment io\nRates\n${table}*result rate float s\n`);
    const columns = [...names, "rate"].join(" ");
    const locations = columns.split(" ").map((name, at) => `TABLE ${name} row="${columns}" pos=${at + 1}\n`);
    playground.write("io.inp", locations.join(""));
    const rows = [1, 2, 4, 8, 16, 32, 64, 128].flatMap((size) =>
      [1, 2, 4].flatMap((np) =>
        [1, 2, 3, 4, 5].flatMap((mode) =>
          [1, 2, 3, 4, 5, 6, 7].map((seed) => `${size} ${np} ${mode} ${seed} ${size + np * 40 + mode * 5 + seed / 7}`),
        ),
      ),
    );
    playground.write("io.txt", `${columns}\n${rows.join("\n")}\n`);
    playground.ok("experiment", "create", "io.exp");
    playground.ok("import", "-e", "io", "-d", "io.inp", "io.txt");
    const { series } = playground.json("trend") as Trends;
    const { subject, points } = series.find((each) => each.subject.source === "profile")!;
    key = subject.key;
    values = points.map(({ value }) => value);
    playground.ok("report", "-o", "report.html");
  }, 120_000);

  test("the sparkline of a change shows its values before and after", async () => {
    const page = await at("", ".changes .spark path");
    const row = page.locator(".changes tr").filter({ hasText: "better" });
    const path = await row.locator(".spark path").getAttribute("d");
    const heights = [...(path ?? "").matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => -Number(y));
    // Sixty values: the twenty before the newest change as they are, and all after it.
    expect(heights).toHaveLength(60);
    const share = (all: readonly number[]): number[] =>
      all.map((value) => (value - Math.min(...all)) / (Math.max(...all) - Math.min(...all)));
    const drawn = share(heights);
    share(values.slice(0, second)).forEach((height, i) => expect(drawn[i]).toBeCloseTo(height, 1));
    const after = (values.at(-1)! - Math.min(...values)) / (Math.max(...values) - Math.min(...values));
    for (const height of drawn.slice(second)) expect(Math.abs(height - after)).toBeLessThan(0.05);
  });

  test("the headline compares the newest level with the start, the release and the last change", async () => {
    const page = await at(`#/series/${encodeURIComponent(key)}`, ".lead");
    const lead = await page.locator(".lead").innerText();
    const middle = (from: number, to: number): number => {
      const sorted = values.slice(from, to).toSorted((a, b) => a - b);
      return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
    };
    const now = middle(second, commits);
    const percent = (then: number): string => {
      const change = (now / then - 1) * 100;
      const digits = Math.abs(change) < 10 ? 2 : 1;
      return `${change > 0 ? "+" : "−"}${Math.abs(change).toFixed(digits)} %`;
    };
    expect(lead).toContain(
      `${percent(middle(0, first))} since the start · ${percent(middle(first, second))} since v1 · last change`,
    );
    expect(lead).toMatch(/last change\s+✓ better\s+−(?:19[.][5-9]|20[.][0-5]) %/);
  });

  test("the charts of an experiment keep every parameter, and name those that they summarize", async () => {
    const page = await at("#/experiments/io", ".picture img");
    await page.getByRole("heading", { name: "Median of rate over size, of all values of seed", exact: true }).waitFor();
    const answer = playground.ok("query", "io", "rate", "--by", "mode,np,size", "--stat", "median", "--format", "csv");
    const expected = answer
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").map(Number));
    const drawn: number[][] = [];
    for (const [at, picture] of (await page.locator("figure.picture").all()).entries()) {
      await expect(picture.locator("figcaption").innerText()).resolves.toContain(`mode=${at + 1}`);
      const svg = decodeURIComponent((await picture.locator("img").getAttribute("src")) ?? "");
      for (const [np, points] of linesOf(svg)) for (const [size, rate] of points) drawn.push([at + 1, np, size, rate]);
    }
    const inOrder = drawn.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!);
    expect(inOrder.map(([mode, np, size]) => [mode, np, Math.round(size!)])).toEqual(
      expected.map((row) => row.slice(0, 3)),
    );
    inOrder.forEach(([, , , rate], i) => expect(Math.abs(rate! - expected[i]![3]!)).toBeLessThan(1.5));
  });
});
