import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { Playground } from "../cli/program.ts";
import { inBrowser } from "./browser.ts";
import { inAllLooks } from "./pictures.ts";

const hostile = `<script>globalThis.hurt = 1</script>"'&amp;]]>\u202e\u001b[31m`;
const long = `solve<${"T, ".repeat(1300)}T>`;

/** A perf profile in which every text is hostile. */
function sampled(stacks: Readonly<Record<string, number>>, host: string): string {
  const all = Object.entries(stacks).map(([stack, amount]) => {
    const trace = stack.split(";").map((name) => ({ function: name, source: `/src/${hostile}.c` }));
    return { trace: trace.toReversed(), amount };
  });
  return JSON.stringify({
    origin: "0123456789012345678901234567890123456789",
    resources: Object.fromEntries(all.map(({ amount }, at) => [`r#${at}`, { amount: [amount] }])),
    resource_type_map: Object.fromEntries(
      all.map(({ trace }, at) => [`r#${at}`, { type: "time", subtype: "cycles", uid: trace[0], trace }]),
    ),
    header: { type: "time", cmd: `./work ${hostile}`, workload: long, units: { time: "ms" } },
    collector_info: { name: "perf", params: { events: hostile } },
    postprocessors: [],
    machine: {
      host,
      kernel: hostile,
      cpu: { model: "Fast", total: 8 },
      memory: { total_ram: "16.0 GiB" },
      fingerprint: host,
    },
  });
}

inBrowser("the page of two profiles", (open) => {
  const playground = new Playground();
  const address = (name: string): string => pathToFileURL(join(playground.folder, name)).href;

  beforeAll(() => {
    playground.write(
      "a.perf",
      sampled({ "main;parse;read": 100, [`main;${long};${hostile}`]: 500, "main;old": 40 }, "one"),
    );
    playground.write(
      "b.perf",
      sampled({ "main;parse;read": 90, [`main;${long};${hostile}`]: 900, [`main;${hostile}`]: 20 }, `two ${hostile}`),
    );
    for (const [view, file] of [
      ["report", "report.html"],
      ["flamegraph", "flames.html"],
    ] as const)
      expect(playground.run(["diff", "a.perf", "b.perf", view, "-o", file])).toMatchObject({ status: 0, stderr: "" });
  }, 60_000);

  test("fits every look, is accessible and escapes names", async () => {
    const page = await open(address("report.html"));
    await inAllLooks(page, "diff-report");
    expect(await page.evaluate(() => (globalThis as { hurt?: number }).hurt)).toBeUndefined();
    const text = await page.locator("main").innerText();
    expect(text).toContain("the two profiles were measured on different machines");
    expect(text).toContain(`<script>globalThis.hurt = 1</script>"'&amp;]]><U+202E>^[[31m`);
    expect(await page.locator(".flame").count()).toBe(3);
  });

  test("unfolds the stacks of a function", async () => {
    const page = await open(address("report.html"));
    const folded = page.locator("details").first();
    expect(await folded.locator("pre").isVisible()).toBe(false);
    await folded.locator("summary").focus();
    await page.keyboard.press("Enter");
    expect(await folded.locator("pre").innerText()).toMatch(/^\+400: 500 -> 900\n {2}main\n {2}solve<T, /);
  });

  test("a difference flame graph can be searched", async () => {
    const page = await open(address("flames.html"));
    await inAllLooks(page, "diff-flames");
    await page.getByRole("searchbox").fill("read");
    expect(await page.locator(".flame-summary").textContent()).toMatch(/in 1 frame$/);
  });
});
