import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { Playground } from "../cli/program.ts";
import { inBrowser } from "./browser.ts";
import { inAllLooks } from "./pictures.ts";

inBrowser("the first page without measured commits", (open) => {
  const reportOf = async (playground: Playground): Promise<Page> => {
    const file = join(playground.home, "report.html");
    playground.ok("report", "-o", file);
    const page = await open(pathToFileURL(file).href);
    await page.waitForSelector("html[data-ready] h1");
    return page;
  };

  test("names the next commands of an empty store", async () => {
    const playground = new Playground();
    playground.ok("init");
    const page = await reportOf(playground);
    const commands = await page.locator(".steps pre").allTextContents();
    expect(commands).toHaveLength(3);
    // The commands exist, with these options.
    for (const verb of commands.flatMap((line) => line.split(" && "))) {
      const [, name = ""] = verb.split(" ");
      playground.ok(name, "--help");
    }
    await inAllLooks(page, "first-run");
  });

  test("shows an experiment without commits with its charts, sets and gaps", async () => {
    const playground = new Playground();
    playground.ok("init");
    playground.write("io.exp", "*experiment io\n*parameter size int\n*parameter op string\n*result rate float MB/s\n");
    playground.write(
      "io.inp",
      'TABLE size row="size op rate" pos=1\nTABLE op row="size op rate" pos=2\nTABLE rate row="size op rate" pos=3\n',
    );
    playground.ok("experiment", "create", "io.exp");
    playground.write("r.txt", "size op rate\n1 read 10\n2 read 20\n10 read 30\n1 write 15\n2 write 25\n");
    playground.ok("import", "-e", "io", "-d", "io.inp", "r.txt");
    const page = await reportOf(playground);
    await page.locator(".picture img").waitFor();
    expect(await page.locator("main .lead").textContent()).toMatch(/^1 runs? of 1 experiment\./);
    expect(await page.locator("main").textContent()).not.toMatch(/worse|history is/);
    const gaps = page.getByRole("region", { name: "Gaps: 1 of 6 combinations were never measured" });
    expect(await gaps.locator("tbody tr").allTextContents()).toEqual(["10write"]);
    await page.getByText("Data table").first().click();
    await page.locator("figure tbody tr").first().waitFor();
    const drawn = await page.locator("figure tbody tr").allTextContents();
    const asked = JSON.parse(
      playground.ok("query", "io", "rate", "--by", "size,op", "--stat", "median", "--format", "json"),
    ) as { readonly rows: readonly (readonly unknown[])[] };
    expect(drawn).toHaveLength(asked.rows.length);
    for (const [size, , value] of asked.rows)
      expect(drawn.some((row) => row.includes(String(size)) && row.includes(String(value)))).toBe(true);
    await inAllLooks(page, "first-experiment");
  });
});
