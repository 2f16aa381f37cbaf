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

type Place = (hash?: string, options?: Partial<FakeOptions>) => Promise<Page>;

const text = (page: Page, selector: string): Promise<string> => page.locator(selector).first().innerText();
const calls = (page: Page): Promise<unknown[]> =>
  page.evaluate(() => (globalThis as { fakeCalls?: unknown[] }).fakeCalls ?? []);

inBrowser("the app", (open: OpenPage, scratch) => {
  const at: Place = async (hash = "", options = {}) => {
    const page = await open(`${await fakePage(scratch(), { ...small, ...options })}${hash}`);
    await page.waitForSelector("html[data-ready] h1");
    return page;
  };

  test("the overview filters its changes, and leads to the series", async () => {
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

  test("while history is judged the overview says so, and tells what is known", async () => {
    const first = await at("", { judging: "first", live: true });
    expect(await text(first, "[role=status]")).toContain("is being judged now, for the first time");
    expect([await first.locator(".tile").count(), await first.getByText("Nothing changed").count()]).toEqual([0, 0]);
    expect(await text(first, ".facts")).toMatch(/experiments\s+2/);
    await expectAccessible(first);
    const again = await at("", { judging: "again", live: true });
    expect(await text(again, "[role=status]")).toContain("This is how it was on 2026-09-21 14:13 UTC");
    expect(await again.locator(".changes tbody tr").count()).toBe(24);
  });

  test("series are searched, filtered, put in order, and seen side by side", async () => {
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
    expect(page.url()).toMatch(/#\/series\?text=SORT\+time&word=worse&order=delta&down=yes$/);
    await page.getByRole("button", { name: "Put them back" }).click();
    expect(await page.locator(".small").count()).toBe(0);
  });

  test("a list of 100 000 has only the rows that are seen, to its end", async () => {
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

  test("a history is walked through and zoomed by keys alone, and tells what it shows", async () => {
    const page = await at(sort);
    const chart = page.getByRole("slider");
    await chart.focus();
    expect(await chart.getAttribute("aria-valuetext")).toContain("15.8 ms at 003dcdab89 Cache the answers, a change");
    await page.keyboard.press("ArrowLeft");
    expect(await text(page, ".beside .panel")).toContain("9.647 ms");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    expect(await text(page, ".bar [role=status]")).toBe("points 85 to 115 of 120");
    await page.keyboard.press("Home");
    expect(await chart.getAttribute("aria-valuenow")).toBe("85");
    await page.keyboard.press("Escape");
    expect(await chart.getAttribute("aria-valuemax")).toBe("120");
    await page.getByRole("button", { name: "show", exact: true }).click();
    expect(await text(page, ".beside .panel")).toMatch(/false alarms among such changes: 0\.10 %/);
    await page.getByText("All points as a table").click();
    expect(await page.locator(".rows .body [role=row]").first().innerText()).toContain("16.25 ms");
  });

  test("a stretch of a history is taken with the pointer", async () => {
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

  test("commits are searched, and lead to what changed there and its profiles", async () => {
    const page = await at("#/commits");
    await page.getByLabel("Which").selectOption("changes");
    expect(await page.locator(".rows .body [role=row]").count()).toBe(1);
    await page.locator(".rows .body a").click();
    const changes = page.getByRole("table", { name: "Changes" });
    await changes.waitFor();
    expect(await changes.getAttribute("aria-rowcount")).toBe("49");
    await page.locator("table").nth(0).getByRole("link").first().click();
    await page.waitForSelector(".flame .frame");
    expect(await page.getByLabel("Version").inputValue()).toMatch(/^003dcdab89/);
  });

  test("a flame graph is zoomed, searched and walked through by keys", async () => {
    const page = await at("#/profiles");
    const frames = page.getByRole("application");
    await frames.focus();
    for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    expect(await text(page, ".flame .details")).toBe("iterate 320.2 samples (32.0 %), itself 20 samples");
    await page.getByRole("button", { name: "Show all" }).waitFor();
    const wide = await page.locator(".flame .frame.at rect").getAttribute("width");
    expect(Number(wide)).toBeGreaterThan(1000);
    await page.keyboard.press("Escape");
    await page.getByLabel("Search frames").fill("TOKEN");
    expect(await text(page, ".flame [role=status]")).toBe("2 frames fit: 200, 20.00 %");
    await page.locator(".flame .frame", { hasText: "solve" }).click();
    expect(await text(page, ".flame .details")).toContain("solve 350.2 samples (35.0 %)");
    await page.getByText("Frames as a table").click();
    expect(await page.locator(".rows .body [role=row]").first().innerText()).toBe("multiply\n250\n25.00 %\n250");
  });

  test("every view of a profile is drawn, with its numbers as a table", async () => {
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
    await page.getByText("Numbers").first().click();
    await page.locator("figure table tbody tr").nth(5).waitFor();
    await page.getByLabel("View").selectOption("surface");
    await page.locator('.picture img[alt^="Time over threads"]').waitFor();
    await page.getByLabel("View").selectOption("tableof");
    await page.getByRole("button", { name: "calls" }).first().click();
    expect(await text(page, "tbody tr")).toContain("947");
    await page.getByLabel("View").selectOption("raw");
    expect(await text(page, "pre.text")).toBe("raw output\n  second line\tand a tab");
  });

  test("differences that a report holds are chosen", async () => {
    const page = await at("#/compare");
    await page.getByLabel("Difference").selectOption({ label: "another" });
    await expect.poll(() => calls(page)).toContainEqual(["difference", "c".repeat(40), "d".repeat(40)]);
    await page.waitForSelector(".flame .frame");
    await page.evaluate((next) => (location.hash = next), sort);
    await page.getByRole("link", { name: "difference of memory of sort" }).click();
    await page.waitForSelector(".flame .frame");
    expect(await page.getByLabel("Difference").inputValue()).toBe("0");
  });

  describe("of the dashboard", () => {
    const live = (hash: string): Promise<Page> => at(hash, { live: true });

    test("any two profiles are compared, the likeliest first", async () => {
      const page = await live(`#/compare?before=${version}`);
      await page.getByLabel("Profile before").selectOption({ index: 1 });
      await page.getByLabel("After").first().selectOption({ index: 2 });
      await page.waitForSelector(".flame .frame");
      const [base, target] = ((await calls(page)).at(-1) as string[]).slice(1);
      expect([base?.slice(0, 10), target?.slice(0, 1)]).toEqual([`1${version.slice(1)}`, "1"]);
    });

    test("a query is clicked together, changed as text, answered and kept", async () => {
      const page = await live("#/experiments/b_eff_io");
      await page.getByLabel("S_chunk").check();
      await page.getByLabel("q95").check();
      await page.getByRole("button", { name: "Add a condition" }).click();
      await page.getByLabel("Variable").selectOption("N_proc");
      await page.getByLabel("Comparison").selectOption("greaterequal");
      await page.getByLabel("Content").fill("8");
      const clicked = await page.getByLabel("The query as text").inputValue();
      expect(clicked).toBe(
        [
          "EXPERIMENT b_eff_io",
          "PARAMETER p1 S_chunk show=data",
          `SOURCE rows p1 order=keep chronology=number where="N_proc >= 8" result=B_write`,
          `OPERATOR statistics statistics rows value="mean,q95"`,
          "OUTPUT statistics target=markdown\n",
        ].join("\n"),
      );
      await page.getByRole("button", { name: "Answer it" }).click();
      await page.getByRole("heading", { name: "Answer" }).waitFor();
      await page.getByLabel("The query as text").fill(`${clicked}# WRONG`);
      await page.getByRole("button", { name: "Answer it" }).click();
      await page.getByRole("alert").getByText("no such keyword: WRONG").waitFor();
      await page.getByRole("button", { name: "Back to what was clicked" }).click();
      await page.getByLabel("Keep it as").fill("chunks");
      await page.getByRole("button", { name: "Keep", exact: true }).click();
      await page.getByText("Kept as chunks.").waitFor();
      await page.getByLabel("Kept queries").selectOption({ label: "chunks" });
      expect((await calls(page)).at(-1)).toEqual(["store", "b_eff_io", "chunks", clicked]);
    });

    test("a view is asked for what one wants, which stands in the address", async () => {
      const page = await live("#/profiles");
      await page.getByText("Options of this view").click();
      await page.getByLabel(/^top/).fill("5");
      await page.getByLabel(/^form/).selectOption("inverted");
      await page.getByLabel(/^merged/).selectOption("true");
      await page.getByLabel(/^where/).fill("a > 1\nb > 2");
      await page.getByRole("button", { name: "Draw it so" }).click();
      await page.waitForURL(/options=/);
      const asked = { top: "5", form: "inverted", merged: "true", where: "a > 1\nb > 2" };
      await expect.poll(async () => (await calls(page)).at(-1)).toEqual(["view", "flamegraph", asked]);
      await expectAccessible(page);
      await page.reload();
      await page.waitForSelector("html[data-ready] .flame");
      expect([await page.getByLabel(/^top/).inputValue(), await page.getByLabel(/^form/).inputValue()]).toEqual([
        "5",
        "inverted",
      ]);
      await page.getByLabel(/^of/).fill("nothing");
      await page.getByRole("button", { name: "Draw it so" }).click();
      await page.getByRole("alert").getByText("there is nothing to draw").waitFor();
      await page.getByRole("button", { name: "As usual" }).click();
      await page.waitForSelector(".flame");
      expect(await page.getByLabel(/^of/).inputValue()).toBe("amount");
      await page.evaluate(() => (location.hash = "#/profiles?view=flamegraph&options=%5B1"));
      await page.waitForSelector(".flame");
    });

    test("a point tells what it rests on when that is asked for", async () => {
      const page = await live(sort);
      expect(await calls(page)).toEqual([]);
      await page.getByText("What this rests on").click();
      await page.locator(".evidence li").nth(1).waitFor();
      expect(await page.locator(".evidence").innerText()).toMatch(
        /memory-sort-2026[.]perf.*run 12 nightly.*4 data sets, by Ada.*results[.]json.*and 2 more files.*and 1\s234 older ones/s,
      );
      for (let i = 0; i < 5; i++) await page.getByRole("slider").press("ArrowLeft");
      await expect.poll(async () => (await calls(page)).at(-1)).toEqual(["evidence", 0, 95]);
      await page.locator(".evidence a").click();
      await page.waitForSelector(".flame");
    });

    test("mining shows what it finds", async () => {
      const page = await live("#/experiments/latency");
      await page.getByRole("button", { name: "Look through it" }).click();
      await page.getByRole("heading", { name: "Findings" }).waitFor();
    });

    test("a decision is written, or said why not", async () => {
      const page = await live(sort);
      await page.getByLabel("Decision").selectOption("fixed");
      await page.getByLabel("Why").fill("by caching");
      await page.getByRole("button", { name: "Decide" }).click();
      await page.getByText("Written to the file of decisions.").waitFor();
      await page.getByLabel("Why").fill("refuse");
      await page.getByRole("button", { name: "Decide" }).click();
      await page.getByRole("alert").getByText("not tracked").waitFor();
      expect(await calls(page)).toEqual([
        ["triage", "suite/sort/0:0", "fixed", "by caching"],
        ["triage", "suite/sort/0:0", "fixed", "refuse"],
      ]);
    });

    test("news are shown without losing one's place", async () => {
      const page = await live(sort);
      await page.getByRole("slider").press("ArrowLeft");
      await page.evaluate(() => (globalThis as { fakeNews?: (what: string) => void }).fakeNews?.("profiles"));
      await page.waitForTimeout(50);
      expect(await page.getByRole("slider").getAttribute("aria-valuenow")).toBe("100");
    });
  });

  test("one comes everywhere by keys alone", async () => {
    const page = await at();
    const focused = (): Promise<string> =>
      page.evaluate(() => (document.activeElement?.textContent ?? "").trim().slice(0, 40));
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the contents");
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
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("b_eff_io");
  });

  test("colours are chosen, and stay", async () => {
    const page = await at();
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await background();
    await page.getByLabel("Colours").selectOption("dark");
    expect(await background()).not.toBe(before);
    await page.reload();
    await page.waitForSelector("html[data-theme=dark]");
  });

  test("on paper it is light, without what one could press, and nothing is folded", async () => {
    const page = await open(`${await fakePage(scratch(), small)}${sort}`, { dark: true });
    await page.waitForSelector(".history .median");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.waitForSelector("details[open] .rows [role=cell]");
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
    expect(await page.locator("button").filter({ visible: true }).count()).toBe(0);
  });

  test("long lists are on paper as far as there is room, and say what is not", async () => {
    const page = await open(`${await fakePage(scratch(), { ...small, series: 2500 })}#/series`);
    await page.waitForSelector(".rows .body a");
    await page.emulateMedia({ media: "print" });
    await page.getByText("500 more rows are not on paper.").waitFor();
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

  test("places that are not there are told", async () => {
    const page = await open(`${await fakePage(scratch(), small)}#/series/none`);
    await page.getByRole("alert").getByText("There is no series of the name none").waitFor();
    await page.evaluate(() => (location.hash = "#/commits/zzz"));
    await page.getByRole("alert").getByText("There is no version zzz").waitFor();
    await page.evaluate(() => (location.hash = "#/nowhere%E0"));
    await page.getByRole("heading", { name: "libfast" }).waitFor();
  });

  test("hostile texts are shown as texts, on every page", async () => {
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
