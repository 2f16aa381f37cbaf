import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { inBrowser } from "./browser.ts";
import { writeReportFile } from "./fake/report-file.ts";

inBrowser("the built app in a report", (open, scratch) => {
  test("loads each part of the file lazily", async () => {
    const file = join(scratch(), "report.html");
    await writeReportFile(file, { series: 700, points: 50, hostile: false, live: false });
    const page = await open(`${pathToFileURL(file).href}#/series/${encodeURIComponent("suite/parse/149:599")}`);
    await page.getByText("No changes detected in this series.").waitFor();
    expect(await page.getByRole("slider").getAttribute("aria-valuemax")).toBe("50");
    const shows = async (hash: string, selector: string): Promise<void> => {
      await page.evaluate((next) => (location.hash = next), hash);
      await page.waitForSelector(selector);
    };
    await shows("#/commits", ".rows .body a");
    await shows("#/profiles?version=000000000000", ".flame .frames canvas");
    await shows("#/profiles?version=000000000000&view=bars", ".picture img");
    await shows("#/compare?what=profiles", ".flame .frames canvas");
    await shows("#/experiments/b_eff_io", ".picture img");
    await shows("#/experiments/latency", "[role=alert]");
    expect(await page.getByRole("alert").innerText()).toBe("This report does not include this data.");
  });
});
