import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { inBrowser } from "./browser.ts";
import { fakePage } from "./fake/fake-page.ts";
import { pinch } from "./touch.ts";

const text = (page: Page, selector: string): Promise<string> => page.locator(selector).first().innerText();

/** The position of the frame at a share of the width of the first flame graph, in a row. */
async function frameAt(page: Page, share: number, row: number): Promise<[x: number, y: number]> {
  const canvas = page.locator(".flame .frames canvas").first();
  await canvas.scrollIntoViewIfNeeded();
  const box = (await canvas.boundingBox())!;
  return [box.x + share * box.width, box.y + (row + 0.5) * 18];
}

async function frameWidth(page: Page): Promise<number> {
  return (await page.locator(".flame .frames canvas").first().boundingBox())!.width;
}

inBrowser("flame graphs of the app", (open, scratch) => {
  const at = async (): Promise<Page> => {
    const page = await open(
      `${await fakePage(scratch(), { series: 2, points: 20, hostile: false, live: false })}#/profiles`,
    );
    await page.waitForSelector(".flame .frames canvas");
    return page;
  };

  test("a flame graph is zoomed, searched and navigated by keyboard", async () => {
    const page = await at();
    const frames = page.getByRole("application");
    await frames.focus();
    for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    expect(await text(page, ".flame .details")).toBe("iterate 320.2 samples (32.0 %), itself 20 samples");
    await page.getByRole("button", { name: "Show all" }).waitFor();
    expect((await page.locator(".flame .at").boundingBox())?.width).toBeGreaterThan(1000);
    await page.keyboard.press("Escape");
    await page.getByLabel("Search frames").fill("TOKEN");
    expect(await text(page, ".flame [role=status]")).toBe("2 frames match: 200, 20.00 %");
    const [x, y] = await frameAt(page, 0.55, 1);
    await page.mouse.click(x, y);
    expect(await text(page, ".flame .details")).toContain("solve 350.2 samples (35.0 %)");
    await page.getByText("Frames as a table").click();
    expect(await page.locator(".rows .body [role=row]").first().innerText()).toBe("multiply\n250\n25.00 %\n250");
  });

  test("a flame graph is zoomed by wheel, drag, minimap and fingers, at 1280 and 400 px", async () => {
    for (const width of [1280, 400]) {
      const page = await at();
      await page.setViewportSize({ width, height: 800 });
      await page.locator(".flame canvas").first().waitFor();
      const shown = async (): Promise<number[]> => {
        const [map, window] = await Promise.all(
          [".flame .minimap", ".flame .minimap .window"].map((each) => page.locator(each).boundingBox()),
        );
        return [window!.x - map!.x, window!.width].map((pixels) => Math.round((pixels / map!.width) * 100));
      };
      const [x, y] = await frameAt(page, 0.5, 1);
      await page.mouse.move(x, y);
      expect(await text(page, ".flame .details")).toContain("solve 350.2 samples");
      await page.mouse.wheel(0, -400 * Math.LN2);
      await expect.poll(shown).toEqual([25, 50]);
      await page.mouse.down();
      await page.mouse.move(x - (await frameWidth(page)) / 5, y, { steps: 4 });
      await page.mouse.up();
      await expect.poll(shown).toEqual([35, 50]);
      expect(await text(page, ".flame .details")).toContain("solve 350.2 samples");
      const map = (await page.locator(".flame .minimap").boundingBox())!;
      await page.mouse.click(map.x + map.width * 0.3, map.y + 10);
      await expect.poll(shown).toEqual([5, 50]);
      await page.getByRole("button", { name: "Show all" }).click();
      const [middle, line] = await frameAt(page, 0.5, 1);
      await pinch(page, [middle - 20, middle + 20], [middle - 60, middle + 60], line);
      await expect.poll(async () => (await shown())[1]).toBeLessThan(50);
      await expectAccessible(page);
    }
  });

  test("calls in the order of time keep it, and pages say what is estimated", async () => {
    const page = await at();
    expect(await page.getByLabel("View").locator("option").allInnerTexts()).toContain("flamechart");
    await page.getByLabel("View").selectOption("flamechart");
    await page.getByText("from left to right in the order of time").waitFor();
    expect(await page.getByLabel("Order").count()).toBe(0);
    expect(await text(page, ".flame .bar")).toContain("calls are estimated from a call graph");
    const [x, y] = await frameAt(page, 0.55, 1);
    await page.mouse.click(x, y);
    expect(await text(page, ".flame .details")).toContain("solve 350.2 samples (35.0 %)");
    await expectAccessible(page);
  });

  test("zoom and order stand in the address, and survive a reload", async () => {
    const page = await at();
    await page.getByLabel("Order").selectOption("largest first");
    const [x, y] = await frameAt(page, 0.41, 2);
    await page.mouse.click(x, y);
    const details = await text(page, ".flame .details");
    await page.waitForFunction(() => /flame=0\.\d/.test(location.hash));
    const hash = await page.evaluate(() => location.hash);
    expect(new URLSearchParams(hash.split("?")[1]).get("flame")).toMatch(/^0\.\d+,0\.\d+,amount$/);
    await page.reload();
    await page.waitForSelector(".flame .frames canvas");
    expect(await page.getByLabel("Order").inputValue()).toBe("amount");
    const window = async (): Promise<number> =>
      ((await page.locator(".flame .minimap .window").boundingBox())?.width ?? 0) / (await frameWidth(page));
    expect(await window()).toBeLessThan(0.5);
    await page.mouse.move(...(await frameAt(page, 0.5, 2)));
    expect(await text(page, ".flame .details")).toBe(details);
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByLabel("Order").selectOption("by name");
    await page.waitForFunction(() => !location.hash.includes("flame="));
  });

  test("callers and callees of a function are merged over its calls", async () => {
    const page = await at();
    await page.getByLabel("Order").selectOption("largest first");
    const [x, y] = await frameAt(page, 0.41, 2);
    await page.mouse.click(x, y);
    expect(await text(page, ".flame .details")).toContain("iterate 320.2 samples");
    await page.keyboard.press("c");
    expect(await page.locator(".sandwich p").innerText()).toMatch(/^Callers and callees of iterate/);
    const [callers, callees] = await page.locator(".sandwich .details").allInnerTexts();
    expect([callers, callees]).toEqual([
      "iterate 320.2 samples (100.0 %)",
      "iterate 320.2 samples (100.0 %), itself 20 samples",
    ]);
    await page.getByRole("application").first().focus();
    await page.keyboard.press("ArrowUp");
    expect(await text(page, ".sandwich .details")).toBe("solve 320.2 samples (100.0 %)");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Back to the whole graph" }).click();
    await page.getByText("Frames as a table").click();
    await page.getByRole("button", { name: "norm" }).click();
    expect(await page.locator(".sandwich .details").first().innerText()).toBe("norm 50 samples (100.0 %)");
  });
});
