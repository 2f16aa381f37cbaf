import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { inBrowser } from "./browser.ts";
import { inAllLooks } from "./pictures.ts";
import { watched } from "./watched-page.ts";

inBrowser("pages that are watched", (open, scratch) => {
  const pageOf = (name: string, body: string): string => {
    const file = join(scratch(), name);
    writeFileSync(
      file,
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>page</title><body>${body}</body></html>`,
    );
    return pathToFileURL(file).href;
  };

  /** The problems of a page, without failing the test that opened it. */
  const problemsOf = async (body: string): Promise<readonly string[]> => {
    const page: Page = await open("about:blank");
    const url = pageOf("bad.html", body);
    const other = await page.context().newPage();
    const problems = watched(other, url);
    await other.goto(url);
    await other.waitForLoadState("networkidle");
    return problems;
  };

  test("a valid page has no problems", async () => {
    const page = await open(
      pageOf("good.html", `<main><h1>Good</h1><img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></main>`),
    );
    await expectAccessible(page);
    expect(await page.title()).toBe("page");
  });

  test("console errors, exceptions and foreign requests are reported", async () => {
    expect(await problemsOf(`<script>console.error("e-1")</script>`)).toEqual(["console error: e-1"]);
    expect(await problemsOf(`<script>throw new Error("e-2")</script>`)).toEqual(["exception: e-2"]);
    expect((await problemsOf(`<img alt="" src="http://127.0.0.1:9/x.png">`))[0]).toBe(
      "request to http://127.0.0.1:9/x.png",
    );
    expect((await problemsOf(`<img alt="" src="other.png">`))[0]).toContain("request to file:///");
  });

  test("horizontal overflow on narrow screens is reported", async () => {
    const wide = pageOf("wide.html", `<main><h1>Wide</h1><p style="width: 600px">600 pixels</p></main>`);
    const failure = await inAllLooks(await open(wide), "wide").catch(String);
    expect(failure).toContain("wide at 400-light: pixels beyond the right edge");
  });

  test("accessibility violations are reported", async () => {
    const page = await open(pageOf("unnamed.html", `<main><h1>Title</h1><button></button></main>`));
    const failure = await expectAccessible(page).catch(String);
    expect(failure).toContain("serious accessibility violations");
  });
});
