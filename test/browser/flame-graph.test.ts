import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Figure } from "../../src/core/figures/figure.ts";
import { html } from "../../src/plugins/renderers/html.ts";
import type { Renderer } from "../../src/plugins/renderers/renderer.ts";
import { svg } from "../../src/plugins/renderers/svg.ts";
import { flameGraphView } from "../../src/plugins/views/flame-graph.ts";
import { profileOfSamples } from "../contracts/arbitrary-stacks.ts";
import { inBrowser } from "./browser.ts";
import { inAllLooks } from "./pictures.ts";

const hostile = `<script>document.title = "gone"</script>"'&amp;]]>\u202e\u001b[31m${"x".repeat(4096)}`;
const stacks: readonly (readonly [string, number])[] = [
  ["main;parse;read", 100],
  ["main;parse;tokens", 300],
  ["main;solve;iterate;multiply", 500],
  ["main;solve;iterate;norm", 60],
  [`main;${hostile};multiply`, 40],
];

function figureOf(options: Readonly<Record<string, string | number | boolean>> = {}, of = stacks): Figure {
  const samples = of.map(([stack, amount]) => ({
    calls: stack.split(/;(?=\w|<)/).map((name) => ({ function: name })),
    values: [amount],
    labels: [],
  }));
  const profile = profileOfSamples(samples, [{ name: "samples", unit: "count" }]);
  return flameGraphView.drawStacks!(
    { ...profile, facts: { command: hostile.slice(0, 60) } },
    new Map(Object.entries(options)),
  );
}

const textOf = (page: Page, selector: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.textContent ?? "");
const boxes = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<SVGGElement>(".flame-frames > g")]
      .filter((g) => g.style.display !== "none")
      .map((g) => {
        const name = g.querySelector("title")!.textContent.split("\n")[0]!.slice(0, 10);
        return `${name} ${Math.round(Number(g.querySelector("rect")!.getAttribute("width")))}`;
      }),
  );

inBrowser("flame graphs", (open, scratch) => {
  const written = async (renderer: Renderer, figure: Figure, name: string, dark = false): Promise<string> => {
    const file = join(scratch(), `${name}.${renderer.extension}`);
    const options = { width: 900, height: 500, color: false, dark, unicode: true };
    writeFileSync(file, await renderer.render(figure, options, new Map()));
    return pathToFileURL(file).href;
  };

  test("an HTML page is accessible and fits every look", async () => {
    const page = await written(html, figureOf(), "page");
    await inAllLooks(await open(page), "flame-graph");
  });

  test("names are escaped", async () => {
    for (const renderer of [svg, html]) {
      const page = await open(await written(renderer, figureOf(), "hostile"));
      expect(await page.title()).not.toBe("gone");
      expect(await textOf(page, ".flame-frames > g:nth-child(2) title")).toMatch(/^main\n1000 samples \(100\.0 %\)$/);
      const titles = await page.locator(".flame-frames title").allTextContents();
      expect(titles.find((title) => title.startsWith("<script>"))).toContain(
        `"gone"</script>"'&amp;]]><U+202E>^[[31mxxx`,
      );
    }
  });

  test("an SVG takes the width of the window", async () => {
    const file = await written(svg, figureOf(), "fits");
    for (const width of [400, 1280]) {
      const page = await open(file, { width });
      expect(await boxes(page)).toContain(`all ${width - 32}`);
      await page.setViewportSize({ width: 700, height: 500 });
      await expect.poll(() => boxes(page)).toContain("all 668");
    }
  });

  test("zooms by click and by keyboard, and back", async () => {
    const page = await open(await written(svg, figureOf(), "zoom"), { width: 1032 });
    const whole = await boxes(page);
    await page
      .locator(".flame-frames > g", { hasText: /^solve/ })
      .locator("rect")
      .click();
    expect(await boxes(page)).toEqual([
      "all 1000",
      "main 1000",
      "solve 1000",
      "iterate 1000",
      "multiply 892",
      "norm 107",
    ]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    expect(await textOf(page, ".flame-status")).toBe("norm: 60 samples (6.0 %)");
    await page.keyboard.press("Enter");
    expect(await boxes(page)).toEqual(["all 1000", "main 1000", "solve 1000", "iterate 1000", "norm 1000"]);
    await page.keyboard.press("Escape");
    expect(await boxes(page)).toEqual(whole);
    await page.keyboard.press("ArrowUp");
    expect(await textOf(page, ".flame-status")).toBe("iterate: 560 samples (56.0 %)");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Reset zoom" }).click();
    expect(await boxes(page)).toEqual(whole);
  });

  test("the first frame is reached by Tab", async () => {
    const page = await open(await written(html, figureOf({ grows: "up" }), "tab"));
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Search frames");
    await page.keyboard.press("Tab");
    expect(await textOf(page, ".flame-status")).toBe("all: 1000 samples (100.0 %)");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-level"))).toBe("3");
  });

  test("a search reports the matches and their share", async () => {
    const page = await open(await written(svg, figureOf(), "search"));
    await page.keyboard.press("Control+f");
    await page.keyboard.type("MULTI");
    expect(await textOf(page, ".flame-summary")).toBe("54.0 % in 2 frames");
    expect(await page.locator(".flame-found").count()).toBe(2);
    await page.keyboard.press("Enter");
    expect(await textOf(page, ".flame-status")).toBe("multiply: 40 samples (4.0 %)");
    await page.getByRole("searchbox").fill("e");
    expect(await textOf(page, ".flame-summary")).toBe("100.0 % in 6 frames");
    await page.getByRole("searchbox").press("Escape");
    expect(await textOf(page, ".flame-summary")).toBe("1000 samples");
    expect(await page.locator(".flame-found").count()).toBe(0);
  });

  test.each([["down"], ["up"]])(
    "a search and a zoom find frames that are too small to draw, growing %s",
    async (grows) => {
      const groups = Array.from({ length: 120 }, (_, group) => group);
      const small = groups.flatMap((group) =>
        groups.slice(0, 100).map((at): [string, number] => [`main;group${group};deep;small${at};tail`, 1]),
      );
      const figure = figureOf({ grows }, [["main;other", 1982], ...small]);
      const page = await open(await written(svg, figure, `small-${grows}`));
      const before = await boxes(page);
      expect([before.length, before.some((name) => name.startsWith("small"))]).toEqual([2 + 2 * 120 + 1, false]);
      await page.getByRole("searchbox").fill("small");
      expect(await textOf(page, ".flame-summary")).toBe(`${((12_000 / 13_982) * 100).toFixed(1)} % in 12000 frames`);
      await page.locator(".flame-frames > g", { hasText: /^group7\n/ }).click();
      const zoomed = await boxes(page);
      expect(zoomed.filter((name) => name.startsWith("small"))).toHaveLength(100);
      expect(zoomed.filter((name) => name.startsWith("tail"))).toHaveLength(100);
      expect(await page.locator(".flame-found:visible").count()).toBe(100);
      const isInside = await page.evaluate(() => {
        const area = document.documentElement.getBoundingClientRect();
        return [...document.querySelectorAll<SVGGElement>(".flame-frames > g, .flame-note")].every((g) => {
          const { top, bottom } = g.getBoundingClientRect();
          return g.style.display === "none" || (top >= area.top && bottom <= area.bottom);
        });
      });
      expect(isInside).toBe(true);
      await page.getByRole("button", { name: "Reset zoom" }).click();
      expect(await boxes(page)).toEqual(before);
    },
  );

  test("frames below the wanted width are drawn only by a zoom", async () => {
    const page = await open(await written(svg, figureOf({ "min-width": 0.2 }), "min-width"));
    const names = async (): Promise<string[]> => (await boxes(page)).map((box) => box.split(" ")[0] ?? "");
    expect(await names()).toEqual(["all", "main", "parse", "tokens", "solve", "iterate", "multiply"]);
    await page.locator(".flame-frames > g", { hasText: /^parse\n/ }).click();
    expect((await names()).toSorted()).toEqual(["all", "main", "parse", "read", "tokens"]);
  });

  test("reports the frame under the pointer", async () => {
    const page = await open(await written(html, figureOf({ focus: "solve", inverted: true }), "hover"));
    const resting = await textOf(page, ".flame-status");
    await page.locator(".flame-frames > g", { hasText: /^main/ }).locator("rect").hover();
    expect(await textOf(page, ".flame-status")).toBe("main: 560 samples (100.0 %)");
    await page.mouse.move(2, 2);
    expect(await textOf(page, ".flame-status")).toBe(resting);
    expect(await textOf(page, ".flame-summary")).toBe("560 samples of 1000 samples · callers of solve");
  });

  test("has no controls on paper", async () => {
    const file = await written(svg, figureOf(), "printed");
    const page = await open(file, { print: true });
    expect(await page.locator(".flame-controls").isVisible()).toBe(false);
    expect(await page.locator(".flame-frames > g").first().isVisible()).toBe(true);
  });

  test("follows light and dark unless dark was chosen", async () => {
    const backgrounds = async (file: string, dark: boolean): Promise<string> => {
      const page = await open(file, { dark });
      return page.evaluate(() => getComputedStyle(document.querySelector("svg > rect")!).fill);
    };
    const file = await written(svg, figureOf(), "looks");
    expect([await backgrounds(file, false), await backgrounds(file, true)]).toEqual([
      "rgb(255, 255, 255)",
      "rgb(27, 29, 34)",
    ]);
    const dark = await written(svg, figureOf(), "dark", true);
    expect(await backgrounds(dark, false)).toBe("rgb(27, 29, 34)");
  });
});
