import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Look, OpenPage } from "./browser.ts";

/** The looks that every page has to stand: wide and narrow, light and dark. */
export const looks: readonly (Look & { readonly name: string })[] = [
  { name: "1280-light", width: 1280, height: 800 },
  { name: "1280-dark", width: 1280, height: 800, dark: true },
  { name: "400-light", width: 400, height: 800 },
  { name: "400-dark", width: 400, height: 800, dark: true },
];

/**
 * Opens a page in all looks: `check` is called in each, nothing may stick out on the right, and where `PERFKEEP_PICTURES` names a folder
 * a picture of each is left there for people to look at.
 */
export async function inAllLooks(open: OpenPage, url: string, name: string, check: (page: Page) => Promise<void>): Promise<void> {
  for (const look of looks) {
    const page = await open(url, look);
    await check(page);
    await picture(page, `${name}-${look.name}`);
    const sticksOut = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(sticksOut, `${name} at ${look.name}: pixels beyond the right edge`).toBeLessThanOrEqual(0);
  }
}

export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["PERFKEEP_PICTURES"];
  if (folder === undefined || folder === "") return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
}
