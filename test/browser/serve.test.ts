import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Playground, timeProfile, type Running } from "../cli/program.ts";
import { expectAccessible } from "./accessibility.ts";
import { inBrowser } from "./browser.ts";

const hostile = `<script>globalThis.hurt = 1</script> "quoted" \u202Egnp.exe`;

inBrowser("the dashboard", (open) => {
  const place = new Playground();
  const commits: string[] = [];
  const levels = [10, 10.1, 9.9, 10.05, 9.95, 10, 13, 13.1, 12.9, 13.05, 12.95, 13];
  let server: Running;
  let address = "";

  const measure = (at: number, level: number): void => {
    const amounts = [level, level * 1.01, level * 0.99];
    const profile = place.write(`p${at}.perf`, timeProfile({ origin: commits[at] as string, amounts, cmd: "./work", workload: hostile }));
    place.ok("add", profile);
  };
  const importRuns = (at: number): void => {
    place.write(`r${at}.txt`, `size rate\n1 ${100 + (at % 3)}.${at}\n2 ${200 + (at % 3)}\n`);
    place.ok("import", "-e", "io", "-d", "io.inp", `r${at}.txt`);
  };

  beforeAll(async () => {
    place.commit("first");
    place.ok("init");
    place.write("io.exp", `*experiment io\n${hostile}\n*parameter size int\n*result rate float MB/s\n`);
    place.write("io.inp", 'TABLE size row="size rate" pos=1\nTABLE rate row="size rate" pos=2\n');
    place.ok("experiment", "create", "io.exp");
    for (const [at, level] of levels.entries()) {
      commits.push(place.commit(at === 6 ? hostile : `change ${at}`));
      measure(at, level);
      if (at < 3) importRuns(at);
    }
    server = place.begin(["serve"]);
    address = await new Promise((resolve) => server.child.stdout.once("data", (text) => resolve(String(text).trim())));
  }, 120_000);

  afterAll(async () => {
    server.child.kill("SIGINT");
    expect(await server.ended).toMatchObject({ status: 0, stderr: "Ctrl-C ends it.\n" });
  });

  /** Lets the page in, then goes to another. */
  const opened = async (hash: string): Promise<Page> => {
    const page = await open(address);
    await page.waitForSelector("html[data-ready] h1");
    await page.evaluate((next) => (location.hash = next), hash);
    return page;
  };

  test("lets in who has the address, which keeps no token", async () => {
    const page = await opened("");
    expect(page.url()).not.toContain("token");
    expect(await page.textContent("main")).toContain("./work");
    await expectAccessible(page);
    expect(await page.evaluate(() => (globalThis as { hurt?: number }).hurt)).toBeUndefined();
    const stranger = await open(address.replace(/#.*/, ""));
    await stranger.getByText("Open the address that perfkeep serve printed").waitFor();
    await expectAccessible(stranger);
  });

  test.each(["#/series", "#/commits", "#/profiles", "#/compare", "#/experiments", "#/experiments/io", "#/environment"])(
    "shows %s",
    async (hash) => {
      const page = await opened(hash);
      await page.waitForLoadState("networkidle").catch(() => {});
      expect(await page.locator("main").textContent()).not.toMatch(/undefined|NaN|\[object/);
      expect(await page.evaluate(() => (globalThis as { hurt?: number }).hurt)).toBeUndefined();
      await expectAccessible(page);
    },
  );
});
