import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { inBrowser } from "./browser.ts";
import { idOf, valueOf } from "./fake/fake-columns.ts";
import { fakePage } from "./fake/fake-page.ts";
import { pinch } from "./touch.ts";

const options = { series: 60, points: 120, hostile: false, live: true };
const sort = `#/series/${encodeURIComponent("suite/sort/0:0")}`;

inBrowser("charts of series", (open, scratch) => {
  const at = async (hash: string, width = 1280): Promise<Page> => {
    const page = await open(`${await fakePage(scratch(), options)}${hash}`, { width });
    await page.waitForSelector(".history .frame");
    return page;
  };
  const hashOf = (page: Page): string => decodeURIComponent(new URL(page.url()).hash);
  const press = (page: Page, name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();
  const saved = async (page: Page, kind: string): Promise<Buffer> => {
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, kind)]);
    return readFileSync(await download.path());
  };

  test("everything that is chosen survives reload and back, by mouse and keyboard", async () => {
    const page = await at(sort);
    for (const name of ["log", "time", "Zoom in"]) await press(page, name);
    const chart = page.getByRole("slider");
    await chart.focus();
    for (const key of ["ArrowLeft", "Enter", "ArrowLeft", "ArrowLeft", "Enter"]) await page.keyboard.press(key);
    const pins = page.getByRole("list", { name: "Pinned points" });
    const [first, second] = [valueOf(0, 99, 120), valueOf(0, 97, 120)];
    expect(await pins.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(new RegExp(`^${first.toPrecision(4)} ms suite/sort/0 time at ${idOf(99).slice(0, 10)} `)),
      expect.stringContaining(
        `(${second > first ? "+" : "−"}${(Math.abs(second / first - 1) * 100).toFixed(2)} % against`,
      ),
    ]);
    await pins.getByText("Evidence").first().click();
    await pins.locator(".evidence li").first().waitFor();
    const end = `at=0@${idOf(97).slice(0, 10)}`;
    expect(hashOf(page)).toContain(`?scale=log&axis=time&range=${idOf(59).slice(0, 10)}..&${end}`);
    const labels = await page.locator(".history svg text").allTextContents();
    await page.reload();
    await pins.waitFor();
    expect(await page.locator(".history svg text").allTextContents()).toEqual(labels);
    expect(await chart.getAttribute("aria-valuenow")).toBe("98");
    await pins.getByRole("link", { name: idOf(99).slice(0, 10) }).click();
    await page.waitForURL(/#\/commits\//);
    await page.goBack();
    await pins.waitFor();
    expect(hashOf(page)).toContain(end);
    await press(page, "absolute");
    await press(page, "From zero");
    expect(await page.locator(".history svg text").allTextContents()).toContain("0 ms");
    await expectAccessible(page);
  });

  test("the chart is saved as CSV with all digits, as SVG and as PNG", async () => {
    const page = await at(`${sort}?range=${idOf(117).slice(0, 10)}..`);
    const [head, ...lines] = (await saved(page, "CSV")).toString().trimEnd().split("\r\n");
    expect(head).toBe("commit,date,subject,benchmark,metric,unit,median,low,high,values");
    expect(lines.map((line) => line.split(",")).map(([id, , , , , , center]) => [id, Number(center)])).toEqual(
      [117, 118, 119].map((point) => [idOf(point), valueOf(0, point, 120)]),
    );
    const svg = (await saved(page, "SVG")).toString();
    expect(svg).toMatch(/^<svg [^>]*xmlns=.*suite\/sort\/0 time<.*stroke="rgb\(.*>v?/s);
    expect(svg).not.toMatch(/var\(|class="frame|<script/);
    expect((await saved(page, "PNG")).subarray(0, 4).toString("latin1")).toBe("\x89PNG");
  });

  test("at 400 px two fingers zoom, one pans, and a tap pins", async () => {
    const page = await at(sort, 400);
    const box = (await page.locator(".history .frame").boundingBox())!;
    const y = box.y + 100;
    await pinch(page, [box.x + 140, box.x + 200], [box.x + 60, box.x + 280], y);
    const status = page.locator(".bar [role=status]");
    await expect.poll(() => status.innerText()).toMatch(/^points \d\d to \d\d of 120$/);
    const zoomed = await status.innerText();
    await pinch(page, [box.x + 250], [box.x + 150], y);
    await expect.poll(() => status.innerText()).not.toBe(zoomed);
    await expect.poll(() => hashOf(page)).toMatch(/range=\w{10}[.]{2}\w{10}/);
    await pinch(page, [box.x + 150], [], y);
    await page.locator(".history .pin").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
    await expectAccessible(page);
  });
});
