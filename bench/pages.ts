import { chromium, type Browser } from "playwright-core";
import { pathToFileURL } from "node:url";
import { chromiumPath } from "../test/browser/chromium.ts";

export { writeReportFile } from "../test/browser/fake/report-file.ts";

/** Milliseconds from asking for the file until a person sees something, and until all series are listed. */
export interface FirstPicture {
  readonly picture: number;
  readonly list: number;
}

/** undefined: there is no Chromium. */
export async function openings(file: string, times: number): Promise<FirstPicture[] | undefined> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) return undefined;
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0, args: ["--disable-gpu"] });
  try {
    const found: FirstPicture[] = [];
    for (let i = 0; i < times; i++) found.push(await opening(browser, pathToFileURL(file).href));
    return found;
  } finally {
    await browser.close();
  }
}

async function opening(browser: Browser, url: string): Promise<FirstPicture> {
  const page = await browser.newPage();
  try {
    await page.goto(url, { waitUntil: "commit", timeout: 120_000 });
    await page.waitForSelector("html[data-ready] .changes .spark", { timeout: 120_000 });
    const picture = await page.evaluate(() => performance.getEntriesByName("perfkeep-ready")[0]?.startTime ?? Number.NaN);
    const asked = await page.evaluate(() => performance.now());
    await page.evaluate("location.hash = '#/series'");
    await page.waitForSelector(".rows .body a", { timeout: 120_000 });
    return { picture, list: (await page.evaluate(() => performance.now())) - asked };
  } finally {
    await page.close();
  }
}
