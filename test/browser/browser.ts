import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { chromiumPath } from "./chromium.ts";
import { watched } from "./watched-page.ts";

/** Viewport and media settings of a page; by default 1280 × 800, light. */
export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Emulates `prefers-reduced-motion`. */
  readonly still?: boolean;
  /** Emulates print media. */
  readonly print?: boolean;
  /** Runs before any script of the page. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
}

/**
 * Opens a page that is closed after the test. A problem of the page (console error, exception, foreign request) fails
 * the test.
 */
export type OpenPage = (url: string, look?: Look) => Promise<Page>;

/** A scratch folder for all tests of the suite, removed afterwards. */
export type ScratchFolder = () => string;

/** Tests that share one Chromium. Skipped, with the reason in the title, on a machine without it. */
export function inBrowser(what: string, tests: (open: OpenPage, scratch: ScratchFolder) => void): void {
  const path = chromiumPath();
  describe.skipIf(path === undefined)(path === undefined ? `${what} (skipped: there is no Chromium)` : what, () => {
    let browser: Browser;
    let folder = "";
    const opened: { context: BrowserContext; problems: readonly string[] }[] = [];
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "perfkeep-browser-"));
      browser = await launched(path ?? "");
    });
    afterAll(async () => {
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    });
    afterEach(async () => {
      const ended = opened.splice(0);
      for (const { context } of ended) await context.close();
      expect(ended.flatMap(({ problems }) => problems).join("\n"), "problems of the page").toBe("");
    });
    const open: OpenPage = async (url, look = {}) => {
      const context = await contextFor(browser, look);
      const page = await context.newPage();
      opened.push({ context, problems: watched(page, url) });
      if (look.print === true) await page.emulateMedia({ media: "print" });
      await page.goto(url);
      return page;
    };
    tests(open, () => folder);
  });
}

function launched(executablePath: string): Promise<Browser> {
  const quiet = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
  ];
  const args = [...quiet, "--disable-sync", "--font-render-hinting=none"];
  return chromium.launch({ executablePath, headless: true, chromiumSandbox: process.getuid?.() !== 0, args });
}

async function contextFor(browser: Browser, look: Look): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1280, height: look.height ?? 800 },
    colorScheme: look.dark === true ? "dark" : "light",
    reducedMotion: look.still === true ? "reduce" : "no-preference",
    locale: "en-GB",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(15_000);
  await look.prepare?.(context);
  return context;
}
