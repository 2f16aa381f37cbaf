import { readFileSync } from "node:fs";
import type { Cookie, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Playground, timeProfile, type Running } from "../cli/program.ts";
import { expectAccessible } from "./accessibility.ts";
import { inBrowser } from "./browser.ts";

const hostile = `<script>globalThis.hurt = 1</script> "quoted" \u202Egnp.exe`;

inBrowser("the dashboard", (open) => {
  const playground = new Playground();
  const commits: string[] = [];
  const levels = [10, 10.1, 9.9, 10.05, 9.95, 10, 13, 13.1, 12.9, 13.05, 12.95, 13];
  let server: Running;
  let address = "";
  let cookies: Cookie[] = [];

  const measure = (at: number, level: number): void => {
    const amounts = [level, level * 1.01, level * 0.99];
    const profile = playground.write(
      `p${at}.perf`,
      timeProfile({ origin: commits[at] as string, amounts, cmd: "./work", workload: hostile }),
    );
    playground.ok("add", profile);
  };
  const importRuns = (at: number): void => {
    playground.write(`r${at}.txt`, `size rate\n1 ${100 + (at % 3)}.${at}\n2 ${200 + (at % 3)}\n`);
    playground.ok("import", "-e", "io", "-d", "io.inp", `r${at}.txt`);
  };

  beforeAll(async () => {
    playground.commit("first");
    playground.ok("init");
    playground.write("io.exp", `*experiment io\n${hostile}\n*parameter size int\n*result rate float MB/s\n`);
    playground.write("io.inp", 'TABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n');
    playground.ok("experiment", "create", "io.exp");
    for (const [at, level] of levels.entries()) {
      commits.push(playground.commit(at === 6 ? hostile : `change ${at}`));
      measure(at, level);
      if (at < 3) importRuns(at);
    }
    server = playground.begin(["serve"]);
    address = await new Promise((resolve) => server.child.stdout.once("data", (text) => resolve(String(text).trim())));
  }, 120_000);

  afterAll(async () => {
    server.child.kill("SIGINT");
    expect(await server.ended).toMatchObject({ status: 0, stderr: "Press Ctrl-C to stop.\n" });
  });

  /** Opens the address with the token, then goes to another page. */
  const opened = async (hash: string): Promise<Page> => {
    const page = await open(address);
    await page.waitForSelector("html[data-ready] h1");
    cookies = await page.context().cookies();
    await goTo(page, hash);
    return page;
  };

  const goTo = async (page: Page, hash: string): Promise<void> => {
    await page.evaluate((next) => (location.hash = next), hash);
    await page.waitForTimeout(50);
    await page.waitForFunction(
      () => document.querySelector("h1") !== null && document.querySelector(".waiting") === null,
    );
  };

  test("accepts the printed address and removes the token from it", async () => {
    const page = await opened("");
    expect(page.url()).not.toContain("token");
    // Results of the background analysis appear without a reload.
    await page.getByText("./work").first().waitFor();
    expect(await page.textContent("main")).not.toContain("being analyzed");
    await expectAccessible(page);
    expect(await page.evaluate(() => (globalThis as { hurt?: number }).hurt)).toBeUndefined();
    const stranger = await open(address.replace(/#.*/, ""));
    await stranger.getByText("Open the address printed by perfkeep serve").waitFor();
    await expectAccessible(stranger);
  });

  test("shows every page with hostile texts", async () => {
    const page = await opened("");
    for (const hash of [
      "#/series",
      "#/commits",
      "#/profiles",
      "#/compare",
      "#/experiments",
      "#/experiments/io",
      "#/environment",
    ]) {
      await goTo(page, hash);
      expect(await page.locator("main").textContent(), hash).not.toMatch(/undefined|NaN|\[object/);
      await expectAccessible(page);
    }
    expect(await page.evaluate(() => (globalThis as { hurt?: number }).hurt)).toBeUndefined();
  });

  test("compares everything measured at two commits with the numbers that are exported", async () => {
    const page = await opened(`#/compare?from=${commits[0]?.slice(0, 8)}&to=HEAD&all=yes&group=none`);
    await page.locator(".rows .body [role=row]").first().waitFor();
    expect(await page.locator("main .lead").textContent()).toMatch(/^1 worse, .*\+30 %$/);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const lines = readFileSync(await (await download).path(), "utf8")
      .trimEnd()
      .split("\r\n")
      .slice(1);
    const measured = lines.find((line) => line.includes("./work"));
    expect(measured).toContain(`,${levels[0]},${levels.at(-1)},${levels.at(-1)! / levels[0]! - 1},`);
    expect(measured).toContain(`,${commits[6]},`);
    // Runs of the experiment are compared by their nearest earlier commits.
    const imported = lines.filter((line) => line.includes(`,${commits[2]},`));
    expect(imported.map((line) => line.split(",").slice(4, 6)).sort()).toEqual([
      ["100", "102.2"],
      ["200", "202"],
    ]);
  });

  test("a commit shows its message and what was measured there", async () => {
    const page = await opened(`#/commits/${commits[6]}`);
    await page.locator(".rows .body [role=row]").first().waitFor();
    const numbers = await page.getByRole("region", { name: "Numbers" }).textContent();
    expect(numbers).toContain("+30.0 %");
    expect(await page.locator("main").textContent()).not.toContain("undefined");
    await expectAccessible(page);
  });

  test("compares any two profiles and shows each in every view and in speedscope", async () => {
    const page = await opened(`#/compare?before=${commits[0]}&after=${commits[6]}`);
    await page.locator("main table").first().waitFor();
    const cells = await page.locator("main table td").allTextContents();
    const printed = playground.ok("diff", commits[0] as string, commits[6] as string);
    expect(cells).toEqual(
      expect.arrayContaining(
        printed
          .trim()
          .split("\n")
          .at(-1)
          ?.split(/\s{2,}/) ?? [],
      ),
    );
    await goTo(page, `#/profiles?version=${commits[6]}`);
    const views = page.getByLabel("View");
    await views.waitFor();
    await views.locator("option", { hasText: "raw" }).waitFor({ state: "attached" });
    const names = await views.locator("option").allTextContents();
    expect(names).toEqual(expect.arrayContaining(["flamegraph", "bars", "tableof", "raw"]));
    expect(names).not.toContain("heapmap");
    // The first view with data to show is selected by default.
    expect(await views.inputValue()).toBe("flamegraph");
    for (const name of names) {
      await views.selectOption(name);
      await page.waitForFunction(() => document.querySelector(".waiting") === null);
      expect(await page.getByRole("alert").count(), name).toBe(0);
    }
    await goTo(page, `#/profiles?version=${commits[6]}&view=heapmap`);
    await page.locator("pre", { hasText: /nothing|no / }).waitFor();
    await views.selectOption("bars");
    await page.getByText("View options").click();
    await page.getByRole("textbox", { name: /^title/ }).fill(hostile);
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("heading", { name: /<script>/ }).waitFor();
    await expectAccessible(page);
    const href = await page.getByRole("link", { name: "Open in speedscope" }).getAttribute("href");
    const deep = await open(new URL(href ?? "", page.url()).href, {
      prepare: (context) => context.addCookies(cookies),
    });
    await deep.getByText("Time Order").waitFor();
    expect(await deep.title()).toMatch(/^[0-9a-f]{12} - speedscope$/);
  });

  test("a query built in the form returns the same as on the command line and can be saved", async () => {
    const page = await opened("#/experiments/io");
    await page.getByRole("checkbox", { name: "size" }).check();
    const text = await page.getByLabel("Query text").inputValue();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const rows = page.locator(".answer tbody tr");
    await rows.first().waitFor();
    const shown = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll("th,td")].map((cell) => cell.textContent)),
    );
    playground.write("clicked.query", text);
    const printed = playground
      .ok("query", "-d", "clicked.query")
      .split("\n")
      .filter((line) => /^\|\s*\d/.test(line));
    expect(shown).toEqual(
      printed.map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    );
    await page.getByLabel("Save as").fill("of sizes");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved as of sizes.").waitFor();
    expect(playground.ok("query", "-e", "io", "-n", "of sizes")).toBe(playground.ok("query", "-d", "clicked.query"));
    await page.getByRole("button", { name: "Run mining" }).click();
    await page.locator("section[aria-labelledby=mining] table, section[aria-labelledby=mining] pre").first().waitFor();
  });

  test("a triage state is written to the tracked file for the commit of the change", async () => {
    const [worse] = (playground.json("report") as { changes: { key: string; outcome: string }[] }).changes.filter(
      ({ outcome }) => outcome === "worse",
    );
    const page = await opened(`#/series/${encodeURIComponent(worse?.key ?? "")}`);
    await page.getByLabel("State").selectOption("accepted");
    await page.getByLabel("Note").fill("a stable sort costs that");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("State: accepted").waitFor();
    const { entries } = playground.json("triage", "list") as { entries: object[] };
    expect(entries).toEqual([
      {
        line: expect.any(Number),
        key: worse?.key,
        versions: commits[6],
        state: "accepted",
        to: null,
        note: "a stable sort costs that",
      },
    ]);
    expect(playground.run(["check", "series"]).status).toBe(0);
  });

  test("pages show profiles and runs added in the meantime", async () => {
    const page = await opened("#/experiments");
    await page.getByText("6", { exact: true }).first().waitFor();
    importRuns(3);
    await page.locator("main").getByText("8", { exact: true }).first().waitFor();
    await goTo(page, "#/commits");
    commits.push(playground.commit("the newest of all"));
    measure(levels.length, 13);
    await page.getByText("the newest of all").waitFor();
  });
});
