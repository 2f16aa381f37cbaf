import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { inBrowser } from "./browser.ts";
import type { FakeOptions } from "./fake/fake-options.ts";
import { fakePage } from "./fake/fake-page.ts";
import { writeReportFile } from "./fake/report-file.ts";
import { idOf, valueOf } from "./fake/fake-columns.ts";

const options = { series: 60, points: 120, hostile: false, live: true };
const rows = ".rows .body [role=row]";

inBrowser("the comparison of two commits", (open, scratch) => {
  const at = async (hash: string, more: Partial<FakeOptions> = {}): Promise<Page> => {
    const page = await open(`${await fakePage(scratch(), { ...options, ...more })}${hash}`);
    await page.waitForSelector(rows);
    return page;
  };
  const statusOf = (page: Page): Promise<string | null> => page.locator("main .lead").textContent();
  const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash);

  test("at 400 px a row shows its metric and both ends of its name", async () => {
    const page = await at("#/compare?from=v1.0&to=HEAD&all=yes", { prefix: "deep-".repeat(30) });
    await page.setViewportSize({ width: 400, height: 800 });
    const names = page.locator(".rows .row-name");
    await expect.poll(() => names.first().innerText()).toMatch(/^deep.*….*suite\/\w+\/\d+ (time|memory)$/);
    const texts = await names.allInnerTexts();
    expect(new Set(texts).size).toBe(texts.length);
    const cut = await names.evaluateAll(
      (all) => all.filter((name) => name.scrollHeight > name.clientHeight + 1).length,
    );
    expect(cut).toBe(0);
    await expectAccessible(page);
  });

  test("starts with the newest tag, names both sides in the address and counts the verdicts", async () => {
    const page = await at("#/compare");
    expect(await hashOf(page)).toBe("#/compare?from=v1.0&to=HEAD");
    // Of 24 changed series every fourth is inconclusive; of the first 12, those that should be high are better.
    expect(await statusOf(page)).toMatch(/^\d+ worse, \d+ better, .*; suite\/\S+ \w+ [+-]\d+(?:\.\d+)? %$/);
    const first = page.locator(rows).filter({ hasText: "suite/sort/0time" });
    const [before, after] = [valueOf(0, 60, 120), valueOf(0, 119, 120)];
    expect(await first.textContent()).toContain(`+${((after / before - 1) * 100).toFixed(1)} %`);
    expect(await page.locator(`${rows}.heading`).first().textContent()).toContain("Cache the answers");
  });

  test("everything that is chosen survives reload and back", async () => {
    const page = await at("#/compare?from=v1.0&to=HEAD");
    await page.getByRole("combobox", { name: /^Verdict/ }).selectOption("worse");
    await page.getByRole("combobox", { name: /^Metric/ }).selectOption("memory");
    await page.getByRole("combobox", { name: /^Change/ }).selectOption("0.05");
    await page.getByRole("combobox", { name: /^Group by/ }).selectOption("benchmark");
    await page.getByLabel("Search").fill("suite");
    await page.getByRole("button", { name: "noise" }).click();
    await page.locator(`${rows} a`).first().click();
    await page.getByRole("region", { name: "Selected row" }).waitFor();
    const [hash, shown] = [await hashOf(page), await page.locator(rows).allTextContents()];
    await page.reload();
    await page.getByRole("region", { name: "Selected row" }).waitFor();
    expect(await hashOf(page)).toBe(hash);
    expect(await page.locator(rows).allTextContents()).toEqual(shown);
    expect(await page.getByRole("combobox", { name: /^Metric/ }).inputValue()).toBe("memory");
    expect(shown.every((text) => text.includes("worse") || !text.includes("%"))).toBe(true);
    await page.getByRole("link", { name: "History" }).click();
    await page.waitForSelector(".history .median");
    await page.goBack();
    await page.getByRole("region", { name: "Selected row" }).waitFor();
    expect(await hashOf(page)).toBe(hash);
  });

  test("the sides are typed, swapped, and refused if unknown", async () => {
    const page = await at("#/compare?from=v1.0&to=HEAD");
    const forward = await statusOf(page);
    await page.getByRole("button", { name: "Swap" }).click();
    await page.waitForFunction((known) => document.querySelector("main .lead")?.textContent !== known, forward);
    const count = (text: string | null, word: string): number =>
      Number(new RegExp(`(\\d+) ${word}`).exec(text ?? "")?.[1]);
    expect(count(await statusOf(page), "worse")).toBe(count(forward, "better"));
    await page.getByLabel("To", { exact: true }).fill("HEAD~300");
    await page.getByLabel("To", { exact: true }).press("Enter");
    await page.getByRole("alert").getByText("No such commit in this history: HEAD~300").waitFor();
    await page.getByLabel("To", { exact: true }).fill("HEAD~1");
    await page.getByLabel("To", { exact: true }).press("Enter");
    await page.waitForSelector(rows);
  });

  test("rows are exported with all digits, and the link is copied", async () => {
    const page = await at("#/compare?from=v1.0&to=HEAD&all=yes");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const file = join(scratch(), "saved.csv");
    await (await download).saveAs(file);
    const lines = readFileSync(file, "utf8").trimEnd().split("\r\n");
    expect(lines[0]).toMatch(/^benchmark,metric,unit,better,before,after,change,noise,verdict/);
    expect(lines).toHaveLength(61);
    const own = lines.find((line) => line.startsWith("suite/sort/0,"))?.split(",");
    expect(own?.slice(4, 6).map(Number)).toEqual([valueOf(0, 60, 120), valueOf(0, 119, 120)]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("copied").or(page.getByLabel("Link")).waitFor();
  });

  test("the opened row has both levels and the difference of its profiles", async () => {
    const page = await at(`#/compare?from=v1.0&to=HEAD&open=${encodeURIComponent("suite/sort/0:0")}`);
    await page.waitForSelector(".history .level", { state: "attached" });
    expect(await page.locator(".history .level").count()).toBe(2);
    await page.setViewportSize({ width: 400, height: 800 });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
    await page.getByRole("link", { name: "Close" }).click();
    await page.getByRole("region", { name: "Selected row" }).waitFor({ state: "detached" });
  });

  test("the flame diff of the opened row keeps its zoom in the address", async () => {
    const page = await at(`#/compare?from=v1.0&to=HEAD&open=${encodeURIComponent("suite/sort/0:0")}`);
    await page.getByText("Difference of the profiles").click();
    const canvas = page.locator(".panel .flame .frames canvas");
    await canvas.scrollIntoViewIfNeeded();
    const box = (await canvas.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.4, box.y + 30);
    for (let step = 0; step < 3; step++) await page.mouse.wheel(0, -100);
    await page.waitForFunction(() => location.hash.includes("flame="));
    const windowOf = async (): Promise<number[]> => {
      const { x = 0, width = 0 } = (await page.locator(".panel .minimap .window").boundingBox()) ?? {};
      return [x, width].map(Math.round);
    };
    const [hash, shown] = [await hashOf(page), await windowOf()];
    expect(hash).toMatch(/diff=yes/);
    expect(shown[1]).toBeLessThan(box.width * 0.7);
    await page.reload();
    await canvas.waitFor();
    expect([await hashOf(page), await windowOf()]).toEqual([hash, shown]);
    expect(await page.getByRole("link", { name: "Close" }).getAttribute("href")).toBe("#/compare?from=v1.0&to=HEAD");
    await page.getByText("Difference of the profiles").click();
    await page.waitForFunction(() => !location.hash.includes("flame="));
  });

  test("a commit has its message, its forge and all numbers against the one before", async () => {
    const id = idOf(100);
    const page = await at(`#/commits/${id}`);
    expect(await page.getByRole("link", { name: id }).getAttribute("href")).toBe(
      `https://example.org/o/r/commit/${id}`,
    );
    expect(await page.locator("pre.text").textContent()).toContain("The cache keeps the last answer.");
    const numbers = page.getByRole("region", { name: "Numbers" });
    expect(await numbers.locator("p").first().textContent()).toMatch(/^\d+ worse, \d+ better, .* · compared with/);
    const row = numbers.locator(rows).filter({ hasText: "suite/sort/0time" });
    const [before, after] = [valueOf(0, 99, 120), valueOf(0, 100, 120)];
    expect(await row.textContent()).toContain(`+${((after / before - 1) * 100).toFixed(1)} %`);
    await row.getByRole("link").click();
    await page.getByRole("region", { name: "Selected row" }).waitFor();
    expect(await hashOf(page)).toMatch(new RegExp(`^#/compare\\?.*from=${idOf(99)}&to=${id}`));
  });

  test("several series share one chart, whose choices stand in the address", async () => {
    const page = await at("#/series?text=%2F0");
    for (const name of ["suite/sort/0", "suite/search/0"])
      await page.getByLabel(new RegExp(`^side by side: ${name} `)).check();
    await page.getByRole("button", { name: "One chart" }).click();
    const chart = page.locator(".overlay svg");
    await chart.locator("path.line").nth(1).waitFor({ state: "attached" });
    // Milliseconds and bytes have no common axis.
    expect(await page.getByRole("button", { name: "relative to the first" }).getAttribute("aria-pressed")).toBe("true");
    expect(await chart.locator(".release text").textContent()).toBe("v1.0");
    await chart.click({ position: { x: 400, y: 150 } });
    const pins = page.getByRole("list", { name: "Pinned points" });
    const pinned = await pins.textContent();
    await page.getByRole("button", { name: "log" }).click();
    await page.getByRole("list", { name: "Legend" }).getByRole("button", { name: "suite/search/0" }).click();
    expect(await chart.locator("path.line").count()).toBe(1);
    const hash = await hashOf(page);
    await page.reload();
    await pins.waitFor();
    expect([await hashOf(page), await pins.textContent()]).toEqual([hash, pinned]);
    expect(await chart.locator("path.line").count()).toBe(1);
    await page.setViewportSize({ width: 400, height: 800 });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
  });

  test("two machines are compared at the newest commit that both measured", async () => {
    const page = await at("#/compare?from=machine:5f2c&to=machine:model");
    expect(await statusOf(page)).toContain("suite/sort/0 time +25 %");
    const row = page.locator(rows).filter({ hasText: "suite/sort/0" }).first();
    expect(await row.textContent()).toContain("+25.0 %");
    await row.locator(".spark path").nth(1).waitFor({ state: "attached" });
    expect(await row.locator(".spark path").count()).toBe(2);
    await row.getByRole("link").click();
    const legend = page.getByRole("list", { name: "Legend" });
    await legend.getByRole("button").nth(1).waitFor();
    expect(await legend.getByRole("button").allInnerTexts()).toEqual([
      expect.stringContaining("5f2c0000"),
      expect.stringContaining("cpu=Model B; cpus=4"),
    ]);
    await page.locator(".panel .history path.line").nth(1).waitFor({ state: "attached" });
    expect(await page.locator(".panel .history path.line").count()).toBe(2);
    expect(await page.locator(".panel .side-by-side .quiet").first().textContent()).toContain(
      `${Number((valueOf(0, 119, 120) * 1.25).toPrecision(4))}`,
    );
    await expectAccessible(page);
    await page.getByLabel("From").fill("machine:none");
    await page.getByLabel("From").press("Enter");
    await page.getByRole("alert").getByText("No machine is named machine:none; known: machine:5f2c0000").waitFor();
    await page.getByLabel("From").fill("v1.0");
    await page.getByLabel("From").press("Enter");
    await page.getByRole("alert").getByText("A machine is compared with a machine").waitFor();
  });

  test("a report answers as the dashboard does", async () => {
    const hash = "#/compare?from=v1.0&to=HEAD";
    const live = await statusOf(await at(hash));
    const file = join(scratch(), "report.html");
    await writeReportFile(file, { ...options, live: false });
    const page = await open(`${pathToFileURL(file).href}${hash}`);
    await page.waitForSelector(rows);
    expect(await statusOf(page)).toBe(live);
  });
});
