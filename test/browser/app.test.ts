import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { inBrowser, type OpenPage } from "./browser.ts";
import { expectAccessible } from "./accessibility.ts";
import type { FakeOptions } from "./fake/fake-options.ts";
import { fakePage } from "./fake/fake-page.ts";
import { hostileTexts } from "./fake/hostile-texts.ts";

const small = { series: 60, points: 120, hostile: false, live: false };
const version = "0048ed9217";
const sort = `#/series/${encodeURIComponent("suite/sort/0:0")}`;

type OpenHash = (hash?: string, options?: Partial<FakeOptions>) => Promise<Page>;

const text = (page: Page, selector: string): Promise<string> => page.locator(selector).first().innerText();
const calls = (page: Page): Promise<unknown[]> =>
  page.evaluate(() => (globalThis as { fakeCalls?: unknown[] }).fakeCalls ?? []);

inBrowser("the app", (open: OpenPage, scratch) => {
  const at: OpenHash = async (hash = "", options = {}) => {
    const page = await open(`${await fakePage(scratch(), { ...small, ...options })}${hash}`);
    await page.waitForSelector("html[data-ready] h1");
    return page;
  };

  test("the overview filters its changes and links to the series", async () => {
    const page = await at();
    expect(await text(page, ".tile.worse")).toBe("2\nworse");
    await page.getByRole("button", { name: "better", exact: true }).click();
    expect(await page.locator(".changes tbody tr").count()).toBe(9);
    await page.getByLabel("Search").fill("suite/sort/3");
    expect(await text(page, ".changes tbody tr")).toContain("suite/sort/3");
    await page.getByRole("link", { name: "suite/sort/3" }).click();
    await page.waitForSelector(".history .median");
    expect(await text(page, "h1")).toBe("suite/sort/3");
    expect(await page.title()).toBe("suite/sort/3:12 · Series · perfkeep");
  });

  test("the overview reports a running analysis and shows what is known", async () => {
    const first = await at("", { judging: "first", live: true });
    expect(await text(first, "[role=status]")).toContain("is being analyzed for the first time");
    expect([await first.locator(".tile").count(), await first.getByText("No significant changes").count()]).toEqual([
      0, 0,
    ]);
    expect(await text(first, ".facts")).toMatch(/experiments\s+2/);
    await expectAccessible(first);
    const again = await at("", { judging: "again", live: true });
    expect(await text(again, "[role=status]")).toContain("This page shows the results of 2026-09-21 14:13 UTC");
    expect(await again.locator(".changes tbody tr:not(.group)").count()).toBe(24);
    expect(await again.locator(".changes tr.group").allTextContents()).toEqual([
      expect.stringContaining("changed 3 series (3 worse); 2 commits are suspects of all"),
    ]);
  });

  test("series are searched, filtered, sorted and compared side by side", async () => {
    const page = await at("#/series", { series: 3000 });
    await page.getByLabel("Search").fill("SORT time");
    await page.getByRole("status").getByText("of 3\u202f000 series").waitFor();
    await page.getByLabel("Verdict").selectOption("worse");
    await page.getByRole("button", { name: "change" }).click();
    expect(await page.locator(".rows .body [role=row]").allInnerTexts()).toEqual([
      expect.stringMatching(/^suite\/sort\/0\ntime\n.*worse\n\+62.0 %/s),
      expect.stringMatching(/^suite\/sort\/1\ntime\n.*worse\n\+12.4 %/s),
      expect.stringMatching(/^suite\/sort\/2\ntime\n.*worse\n\+6.89 %/s),
    ]);
    for (const box of await page.locator(".rows input[type=checkbox]").all()) await box.check();
    await page.waitForSelector(".small:nth-child(3) .median");
    expect(page.url()).toMatch(/#\/series\?text=SORT\+time&word=worse&order=delta&down=yes&show=/);
    await page.getByRole("button", { name: "Clear selection" }).click();
    expect(await page.locator(".small").count()).toBe(0);
  });

  test("a list of 100 000 renders only the visible rows, up to its end", async () => {
    const page = await at("#/series", { series: 100_000, points: 2 });
    await page.waitForSelector(".rows .body a");
    expect(await page.locator(".rows").getAttribute("aria-rowcount")).toBe("100001");
    await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
    await page.locator('[aria-rowindex="100001"]').waitFor();
    expect(await page.locator(".rows .body [role=row]").count()).toBeLessThan(60);
    const bottom = await page.locator('[aria-rowindex="100001"]').evaluate((row) => row.getBoundingClientRect().bottom);
    const end = await page.locator(".rows").evaluate((rows) => rows.getBoundingClientRect().bottom);
    expect(Math.abs(end - bottom)).toBeLessThan(4);
  });

  test("a history is navigated and zoomed by keyboard and describes the selected point", async () => {
    const page = await at(sort);
    const chart = page.getByRole("slider");
    expect(await text(page, ".lead")).toMatch(
      /[+−][\d.]+ % since the start · [+−][\d.]+ % since v1\.0 · last change ✗ worse/,
    );
    await chart.focus();
    expect(await chart.getAttribute("aria-valuetext")).toContain("15.8 ms at 003dcdab89 Cache the answers, a change");
    await page.keyboard.press("ArrowLeft");
    expect(await text(page, ".side-by-side .panel")).toContain("9.647 ms");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    expect(await text(page, ".bar [role=status]")).toBe("points 85 to 115 of 120");
    await page.keyboard.press("Home");
    expect(await chart.getAttribute("aria-valuenow")).toBe("85");
    await page.keyboard.press("Escape");
    expect(await chart.getAttribute("aria-valuemax")).toBe("120");
    await page.getByRole("button", { name: "show", exact: true }).click();
    expect(await text(page, ".side-by-side .panel")).toMatch(/false discovery rate: 0\.10 %/);
    await page.getByText("All points as a table").click();
    expect(await page.locator(".rows .body [role=row]").first().innerText()).toContain("16.25 ms");
  });

  test("dragging the pointer zooms a history", async () => {
    const page = await at(sort);
    await page.locator(".history").scrollIntoViewIfNeeded();
    const box = await page.locator(".history .frame").boundingBox();
    const [left, y, width] = [box?.x ?? 0, (box?.y ?? 0) + 80, box?.width ?? 0];
    await page.mouse.move(left + width * 0.25, y);
    await page.mouse.down();
    await page.mouse.move(left + width * 0.5, y, { steps: 4 });
    await page.mouse.up();
    expect(await text(page, ".bar [role=status]")).toMatch(/^points 3[01] to 6[01] of 120$/);
  });

  test("commits are searched and link to their changes and profiles", async () => {
    const page = await at("#/commits");
    await page.getByLabel("Show").selectOption("changes");
    expect(await page.locator(".rows .body [role=row]").count()).toBe(1);
    await page.locator(".rows .body a").click();
    const changes = page.getByRole("table", { name: "Changes" });
    await changes.waitFor();
    expect(await changes.getAttribute("aria-rowcount")).toBe("49");
    await page.locator("table").nth(0).getByRole("link").first().click();
    await page.waitForSelector(".flame .frames canvas");
    expect(await page.getByLabel("Commit").inputValue()).toMatch(/^003dcdab89/);
  });

  test("every view of a profile is drawn, with its data as a table", async () => {
    const page = await at("#/profiles");
    await page.getByLabel("View").selectOption("bars");
    await page.waitForSelector(".picture img");
    expect(
      await page
        .locator(".picture img")
        .first()
        .evaluate((image) => (image as HTMLImageElement).decode().then(() => (image as HTMLImageElement).naturalWidth)),
    ).toBeGreaterThan(500);
    const tips = await page.evaluate(async () => {
      const picture = document.querySelector(".pointed")!;
      const { left, top, width, height } = picture.getBoundingClientRect();
      const found = new Set<string>();
      for (let x = 0; x < width; x += 20) {
        for (let y = 0; y < height; y += 20) {
          picture.dispatchEvent(
            new PointerEvent("pointermove", { clientX: left + x, clientY: top + y, bubbles: true }),
          );
          await Promise.resolve();
          found.add(document.querySelector(".tip")?.textContent ?? "");
        }
      }
      return [...found];
    });
    expect(tips).toEqual(expect.arrayContaining(["", "read: 578.1 at 64", "write: 385.4 at 64", "write: 65.4 at 16"]));
    await page.getByText("Data table").first().click();
    await page.locator("figure table tbody tr").nth(5).waitFor();
    await page.getByLabel("View").selectOption("surface");
    await page.locator('.picture img[alt^="Time over threads"]').waitFor();
    await page.getByLabel("View").selectOption("tableof");
    await page.getByRole("button", { name: "calls" }).first().click();
    expect(await text(page, "tbody tr")).toContain("947");
    await page.getByLabel("View").selectOption("raw");
    expect(await text(page, "pre.text")).toBe("raw output\n  second line\tand a tab");
  });

  test("the differences stored in a report can be selected", async () => {
    const page = await at("#/compare?what=profiles");
    await page.getByLabel("Difference").selectOption({ label: "another" });
    await expect.poll(() => calls(page)).toContainEqual(["difference", "c".repeat(40), "d".repeat(40)]);
    await page.waitForSelector(".flame .frames canvas");
    await page.evaluate((next) => (location.hash = next), sort);
    await page.getByRole("link", { name: "difference of memory of sort" }).click();
    await page.waitForSelector(".flame .frames canvas");
    expect(await page.getByLabel("Difference").inputValue()).toBe("0");
  });

  describe("of the dashboard", () => {
    const live = (hash: string): Promise<Page> => at(hash, { live: true });

    test("any two profiles are compared, the most similar first", async () => {
      const page = await live(`#/compare?before=${version}`);
      await page.getByLabel("Profile before").selectOption({ index: 1 });
      await page.getByLabel("After").first().selectOption({ index: 2 });
      await page.waitForSelector(".flame .frames canvas");
      const [base, target] = ((await calls(page)).at(-1) as string[]).slice(1);
      expect([base?.slice(0, 10), target?.slice(0, 1)]).toEqual([`1${version.slice(1)}`, "1"]);
    });

    test("a query is built in the form, edited as text, run and saved", async () => {
      const page = await live("#/experiments/b_eff_io");
      await page.getByLabel("S_chunk").check();
      await page.getByLabel("q95").check();
      await page.getByRole("button", { name: "Add filter" }).click();
      await page.getByLabel("Variable").selectOption("N_proc");
      await page.getByLabel("Comparison").selectOption("greaterequal");
      await page.getByLabel("Value").fill("8");
      const clicked = await page.getByLabel("Query text").inputValue();
      expect(clicked).toBe(
        [
          "EXPERIMENT b_eff_io",
          "PARAMETER p1 S_chunk show=data",
          `SOURCE rows p1 order=keep chronology=number where="N_proc >= 8" result=B_write`,
          `OPERATOR statistics statistics rows value="mean,q95"`,
          "OUTPUT statistics target=markdown\n",
        ].join("\n"),
      );
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("heading", { name: "Answer" }).waitFor();
      await page.getByLabel("Query text").fill(`${clicked}# WRONG`);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("alert").getByText("no such keyword: WRONG").waitFor();
      await page.getByRole("button", { name: "Revert to the form" }).click();
      await page.getByLabel("Save as").fill("chunks");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Saved as chunks.").waitFor();
      await page.getByLabel("Saved queries").selectOption({ label: "chunks" });
      expect((await calls(page)).at(-1)).toEqual(["store", "b_eff_io", "chunks", clicked]);
    });

    test("options of a view are sent and stored in the address", async () => {
      const page = await live("#/profiles");
      await page.getByText("View options").click();
      await page.getByLabel(/^top/).fill("5");
      await page.getByLabel(/^form/).selectOption("inverted");
      await page.getByLabel(/^merged/).selectOption("true");
      await page.getByLabel(/^where/).fill("a > 1\nb > 2");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.waitForURL(/options=/);
      const options = { top: "5", form: "inverted", merged: "true", where: "a > 1\nb > 2" };
      await expect.poll(async () => (await calls(page)).at(-1)).toEqual(["view", "flamegraph", options]);
      await expectAccessible(page);
      await page.reload();
      await page.waitForSelector("html[data-ready] .flame");
      expect([await page.getByLabel(/^top/).inputValue(), await page.getByLabel(/^form/).inputValue()]).toEqual([
        "5",
        "inverted",
      ]);
      await page.getByLabel(/^of/).fill("nothing");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.getByRole("alert").getByText("there is nothing to draw").waitFor();
      await page.getByRole("button", { name: "Reset" }).click();
      await page.waitForSelector(".flame");
      expect(await page.getByLabel(/^of/).inputValue()).toBe("amount");
      await page.evaluate(() => (location.hash = "#/profiles?view=flamegraph&options=%5B1"));
      await page.waitForSelector(".flame");
    });

    test("a point loads its evidence on demand", async () => {
      const page = await live(sort);
      expect(await calls(page)).toEqual([]);
      await page.getByText("Evidence").click();
      await page.locator(".evidence li").nth(1).waitFor();
      expect(await page.locator(".evidence").innerText()).toMatch(
        /memory-sort-2026[.]perf.*run 12 nightly.*4 rows, by Ada.*results[.]json.*and 2 more files.*and 1\s234 older/s,
      );
      for (let i = 0; i < 5; i++) await page.getByRole("slider").press("ArrowLeft");
      await expect.poll(async () => (await calls(page)).at(-1)).toEqual(["evidence", 0, 95]);
      await page.locator(".evidence a").click();
      await page.waitForSelector(".flame");
    });

    test("mining shows its findings", async () => {
      const page = await live("#/experiments/latency");
      await page.getByRole("button", { name: "Run mining" }).click();
      await page.getByRole("heading", { name: "Findings" }).waitFor();
    });

    test("a triage state is written, or the error is shown", async () => {
      const page = await live(sort);
      await page.getByLabel("State").selectOption("fixed");
      await page.getByLabel("Note").fill("by caching");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved to the triage file.").waitFor();
      await page.getByLabel("Note").fill("refuse");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("alert").getByText("not tracked").waitFor();
      expect(await calls(page)).toEqual([
        ["triage", "suite/sort/0:0", "fixed", "by caching"],
        ["triage", "suite/sort/0:0", "fixed", "refuse"],
      ]);
    });

    test("updates keep the selected point", async () => {
      const page = await live(sort);
      await page.getByRole("slider").press("ArrowLeft");
      await page.evaluate(() => (globalThis as { fakeNews?: (what: string) => void }).fakeNews?.("profiles"));
      await page.waitForTimeout(50);
      expect(await page.getByRole("slider").getAttribute("aria-valuenow")).toBe("100");
    });
  });

  test("every page is reachable by keyboard", async () => {
    const page = await at();
    const focused = (): Promise<string> =>
      page.evaluate(() => (document.activeElement?.textContent ?? "").trim().slice(0, 40));
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to main content");
    const seen: string[] = [];
    for (let i = 0; i < 9; i++) {
      await page.keyboard.press("Tab");
      seen.push(await focused());
    }
    expect(seen.slice(1, 8)).toEqual([
      "Overview",
      "Series",
      "Commits",
      "Profiles",
      "Compare",
      "Experiments",
      "Environment",
    ]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Experiments" }).waitFor();
    // The focus follows the heading.
    await page.waitForFunction(() => document.activeElement?.id === "main");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("b_eff_io");
  });

  test("the colour theme is persistent", async () => {
    const page = await at();
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await background();
    await page.getByLabel("Colours").selectOption("dark");
    expect(await background()).not.toBe(before);
    await page.reload();
    await page.waitForSelector("html[data-theme=dark]");
  });

  test("print is light, without controls and unfolded", async () => {
    const page = await open(`${await fakePage(scratch(), small)}${sort}`, { dark: true });
    await page.waitForSelector(".history .median");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.waitForSelector("details[open] .rows [role=cell]");
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
    expect(await page.locator("button").filter({ visible: true }).count()).toBe(0);
  });

  test("long lists are printed up to a limit and report the rest", async () => {
    const page = await open(`${await fakePage(scratch(), { ...small, series: 2500 })}#/series`);
    await page.waitForSelector(".rows .body a");
    await page.emulateMedia({ media: "print" });
    await page.getByText("500 more rows are not printed.").waitFor();
    expect(await page.locator(".rows .body [role=row]").count()).toBe(2000);
    const [first, last] = [
      await page.locator(".rows .body [role=row]").first().boundingBox(),
      await page.locator(".rows .body [role=row]").last().boundingBox(),
    ];
    expect((last?.y ?? 0) - (first?.y ?? 0)).toBe(1999 * 32);
    expect(await page.getByRole("button", { name: "benchmark" }).isVisible()).toBe(true);
    await page.emulateMedia({ media: "screen" });
    await page.getByText("500 more rows").waitFor({ state: "detached" });
    expect(await page.locator(".rows .body [role=row]").count()).toBeLessThan(60);
  });

  test("unknown series, commits and pages are reported", async () => {
    const page = await open(`${await fakePage(scratch(), small)}#/series/none`);
    await page.getByRole("alert").getByText("No such series: none").waitFor();
    await page.evaluate(() => (location.hash = "#/commits/zzz"));
    await page.getByRole("alert").getByText("No such commit: zzz").waitFor();
    await page.evaluate(() => (location.hash = "#/nowhere%E0"));
    await page.getByRole("heading", { name: "libfast" }).waitFor();
  });

  test("every page escapes hostile texts", async () => {
    const page = await at("", { hostile: true, live: true });
    const key = await page.locator(".changes a").first().getAttribute("href");
    const hashes = [
      "",
      "#/series",
      key ?? "",
      "#/commits",
      `#/commits/${version}`,
      "#/profiles",
      "#/profiles?view=tableof",
      "#/profiles?view=bars",
      "#/profiles?view=surface",
    ];
    for (const hash of [
      ...hashes,
      "#/profiles?view=raw",
      "#/compare",
      "#/compare?open=0&group=benchmark&all=yes",
      `#/compare?before=${version}&after=${version}`,
      "#/experiments",
      "#/environment",
    ]) {
      await page.evaluate((next) => (location.hash = next), hash);
      await page.waitForSelector("h1");
      await page.waitForFunction(() => document.querySelector(".waiting") === null);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(wide, hash).toBeLessThanOrEqual(0);
      expect(
        await page.evaluate(() => document.querySelectorAll("main script, main style, main img:not([alt])").length),
      ).toBe(0);
      expect(
        await page.evaluate(() => /[\u202a-\u202e\u2066-\u2069]|(?![\n\t])\p{Cc}/u.test(document.body.innerText)),
        hash,
      ).toBe(false);
    }
    await page.evaluate(() => (location.hash = "#/experiments"));
    await page.locator("td a").first().click();
    await page.waitForSelector("textarea");
    expect(await page.evaluate(() => (globalThis as { hurt?: number }).hurt)).toBeUndefined();
    await page.evaluate(() => (location.hash = ""));
    expect(await text(page, "h1")).toBe(`${hostileTexts[0]} libfast`);
  });
});
