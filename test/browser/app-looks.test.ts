import type { Page } from "playwright-core";
import { test } from "vitest";
import { inBrowser } from "./browser.ts";
import { fakePage } from "./fake/fake-page.ts";
import { inAllLooks } from "./pictures.ts";

const small = { series: 60, points: 120, hostile: false };
const version = "0048ed9217";
const sort = `series/${encodeURIComponent("suite/sort/0:0")}`;

type PageState = readonly [name: string, hash: string, ready: string];

const report: readonly PageState[] = [
  ["overview", "", ".changes .spark"],
  ["series", "series?word=worse&order=delta&down=yes", ".rows .outcome"],
  ["series-one", sort, ".history .median"],
  [
    "series-overlay",
    `series?in=one&pin=0@${version}&show=${encodeURIComponent('["suite/sort/0:0","suite/search/0:1"]')}`,
    ".overlay .ring",
  ],
  ["commits", "commits", ".rows a"],
  ["commit", `commits/${version}`, ".facts .code"],
  ["profile-flame", "profiles", ".flame .frames canvas"],
  ["profile-table", "profiles?view=tableof", ".rows .untrusted"],
  ["profile-bars", "profiles?view=bars", ".picture img"],
  ["profile-surface", "profiles?view=surface", ".picture img"],
  ["profile-raw", "profiles?view=raw", "pre.text"],
  ["compare", "compare", ".rows .spark path"],
  ["compare-open", `compare?open=${encodeURIComponent("suite/sort/0:0")}&group=benchmark`, ".facts .code"],
  ["compare-profiles", "compare?what=profiles", ".flame .frames canvas"],
  ["experiments", "experiments", "td a"],
  ["experiment", "experiments/b_eff_io", ".picture img"],
  ["environment", "environment", "dd"],
];

const dashboard: readonly PageState[] = [
  ["live-series", sort, ".history .median"],
  ["live-compare", `compare?before=${version}&after=${version}`, ".flame .frames canvas"],
  ["live-experiment", "experiments/b_eff_io", ".picture img"],
];

inBrowser("pages in all looks: no overflow and no serious accessibility violation", (open, scratch) => {
  const visit = (states: readonly PageState[]) => async (page: Page) => {
    for (const [name, hash, ready] of states) {
      await page.evaluate((next) => (location.hash = next), `#/${hash}`);
      await page.waitForSelector(ready);
      await inAllLooks(page, name);
    }
  };

  test("of a report", async () => visit(report)(await open(await fakePage(scratch(), { ...small, live: false }))));

  test("of the dashboard", async () =>
    visit(dashboard)(await open(await fakePage(scratch(), { ...small, live: true }))));
});
