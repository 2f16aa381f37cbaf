import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible } from "./accessibility.ts";

/** The looks that every page must support: wide and narrow, light and dark. */
const looks = [
  { name: "1280-light", width: 1280, colorScheme: "light" },
  { name: "400-light", width: 400, colorScheme: "light" },
  { name: "400-dark", width: 400, colorScheme: "dark" },
  { name: "1280-dark", width: 1280, colorScheme: "dark" },
] as const;

/**
 * Checks the current page in all looks: no horizontal overflow, and no serious accessibility violation in light and in
 * dark. If `PERFKEEP_PICTURES` names a folder, a screenshot of each look is written there.
 */
export async function inAllLooks(page: Page, name: string): Promise<void> {
  for (const { name: look, width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await picture(page, `${name}-${look}`);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${name} at ${look}: pixels beyond the right edge`).toBeLessThanOrEqual(0);
    if (look === "400-light" || look === "1280-dark") await expectAccessible(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Writes a screenshot if `PERFKEEP_PICTURES` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["PERFKEEP_PICTURES"];
  if (folder === undefined || folder === "") return;
  mkdirSync(folder, { recursive: true });
  // Two frames, because size-dependent parts are drawn again after a resize.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
}
