import { test } from "vitest";
import { inBrowser } from "./browser.ts";
import { fakePage } from "./fake/fake-page.ts";
import { inAllLooks } from "./pictures.ts";

const small = { series: 60, points: 120, hostile: false, live: false };

inBrowser("the app", (open, scratch) => {
  test.each(["", "series", "commits", "profiles", "compare", "experiments", "environment"])("page '%s' in all looks", async (page) => {
    const url = await fakePage(scratch(), { ...small, live: page === "compare" });
    await inAllLooks(open, `${url}#/${page}`, page === "" ? "overview" : page, (opened) => opened.waitForSelector("html[data-ready] h1"));
  });
});
