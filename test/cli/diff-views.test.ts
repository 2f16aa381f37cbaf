import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Playground, timeProfile } from "./program.ts";

const place = new Playground();
place.write("old.folded", "main;parse 400\nmain;solve;multiply 500\nmain;gone 20\n");
place.write("new.folded", "main;parse 300\nmain;solve;multiply 900\nmain;fresh 80\n");

const read = (file: string): string => readFileSync(join(place.folder, file), "utf8");

interface Flame {
  readonly kind: string;
  readonly intensity?: string;
  readonly graph?: {
    readonly names: string[];
    readonly name: number[];
    readonly total: number[];
    readonly before: number[];
    readonly after: number[];
  };
}

const flames = (...words: string[]): Flame[] => {
  const { blocks } = place.json("diff", "old.folded", "new.folded", "flamegraph", ...words) as { blocks: Flame[] };
  return blocks.filter(({ kind }) => kind === "flame");
};

describe("diff of files of other profilers, where there is no instance", () => {
  test("is a table by function", () => {
    const { status, stdout } = place.run(["diff", "old.folded", "new.folded"]);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/samples: 920 -> 1280 sample[^]*\+400 +500 +900 .* multiply/),
    ]);
    expect(place.ok("diff", "old.folded", "new.folded", "-f", "uid", "parse")).toMatch(/samples: 400 -> 300/);
  });

  test("has the totals of the flame graph and of JSON to the last digit", () => {
    place.write("many.folded", "main;a 76985\nmain;b 1234567\n");
    place.write("more.folded", "main;a 76991\nmain;b 1234567\n");
    const words = ["diff", "many.folded", "more.folded"];
    const json = place.json(...words) as { compared: { differences: { before: number; after: number }[] }[] };
    const { before, after } = json.compared[0]!.differences[0]!;
    expect([before, after]).toEqual([1311552, 1311558]);
    place.ok(...words, "flamegraph", "-o", "exact.svg");
    const shown = readFileSync(join(place.folder, "exact.svg"), "utf8");
    for (const text of [place.ok(...words), shown]) {
      expect(text).toMatch(new RegExp(`${before}\\D+${after}`));
      expect(text).toMatch(/76985\D+76991/);
    }
  });

  test("is a flame graph with the totals of both", () => {
    const [{ graph }] = flames() as [Flame];
    expect([graph!.before[0], graph!.after[0], graph!.total[0]]).toEqual([920, 1280, 1280]);
    expect(flames("--widths", "base")[0]!.graph!.total[0]).toBe(920);
    expect(flames("--normalised")[0]!.graph!.before[0]).toBe(1280);
    expect(flames("--intensity", "absolute")[0]!.intensity).toBe("absolute");
    const { names, name } = flames("--inverted", "--focus", "multiply")[0]!.graph!;
    expect(name.map((at) => names[at])).toEqual(["all", "multiply", "solve", "main"]);
    expect(flames("--both").map(({ graph: each }) => each!.total[0])).toEqual([920, 1280, 1280]);
  });

  test("is a picture or a page", () => {
    place.ok("diff", "old.folded", "new.folded", "flamegraph", "-o", "f.svg");
    expect(read("f.svg")).toContain("920 samples → 1280 samples (+39.1 %)");
    place.ok("diff", "old.folded", "new.folded", "report", "-o", "r.html");
    expect(read("r.html").match(/<div class="flame">/g)).toHaveLength(3);
    expect(read("r.html")).toMatch(/<td>samples<\/td><td>sample<\/td><td[^>]*>920<\/td><td[^>]*>1280<\/td>/);
    expect(read("r.html")).toContain("<summary>main &#62; solve</summary>");
  });

  test("reads one of both from standard input", () => {
    const piped = place.run(["diff", "-", "new.folded", "flamegraph"], { input: read("old.folded") });
    expect([piped.status, piped.stdout]).toEqual([0, expect.stringContaining("920 samples → 1280 samples")]);
    expect(place.run(["diff", "-", "-"], { input: "" }).stderr).toContain("[unusable-combination]");
  });
});

test("profiles without stacks have tables only, and say so", () => {
  for (const [name, amounts] of [
    ["a.perf", [1, 2]],
    ["b.perf", [3, 4]],
  ] as const)
    place.write(name, timeProfile({ origin: "a".repeat(40), amounts: [...amounts] }));
  const drawn = place.run(["diff", "a.perf", "b.perf", "flamegraph"]);
  expect([drawn.status, drawn.stderr]).toEqual([3, expect.stringMatching(/have no stacks.*\[nothing-to-compare\]/)]);
  expect(place.ok("diff", "a.perf", "b.perf", "report")).toMatch(/Totals[^]*These profiles have no stacks/);
});

test.each([
  [["--focus", "main"], "--focus"],
  [["flamegraph", "--by", "stack"], "--by"],
  [["flamegraph", "--min-share", "1%"], "--min-share"],
  [["report", "--both"], "--both"],
])("refuses options that the view has not: %s", (words, option) => {
  const ended = place.run(["diff", "old.folded", "new.folded", ...words]);
  expect([ended.status, ended.stderr]).toEqual([
    2,
    expect.stringMatching(new RegExp(`${option}: the view .*\\[unusable-combination\\]`)),
  ]);
});

describe("perun showdiff", () => {
  const perun = join(place.home, "perun");
  symlinkSync(place.program, perun);
  const run = (...words: string[]) => place.start(perun, ["showdiff", "old.folded", "new.folded", ...words]);

  test("writes pages under Perun's names and says so", () => {
    const name = String.raw`folded-\[_\]-\[_\]-[\d-]{19}`;
    const { status, stderr } = run("flamegraph");
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^wrote flamegraph-diff-of-${name}-and-${name}[.]html\n$`)),
    ]);
    expect(read(stderr.slice("wrote ".length, -1)).match(/<svg [^>]*width="600"/g)).toHaveLength(3);
    expect(run("flamegraph", "-w", "300", "-h", "20", "-o", "wide")).toMatchObject({
      status: 0,
      stderr: "wrote wide.html\n",
    });
    expect(read("wide.html").match(/<svg [^>]*width="300"/g)).toHaveLength(3);
    expect(run("report", "-o", "report")).toMatchObject({ status: 0 });
    expect(existsSync(join(place.folder, "report.html"))).toBe(true);
  });

  test("prints a table paired by function, filtered and cut as it is told", () => {
    expect(run("table", "-n", "1").stdout).toMatch(/multiply\s+3 more/);
    const { status, stdout } = run("table", "-f", "uid", "parse", "-f", "uid", "fresh", "-g", "origin");
    expect([status, stdout]).toEqual([0, expect.stringMatching(/400 -> 380[^]*parse[^]*fresh/)]);
    expect(run("pie")).toMatchObject({ status: 2 });
  });
});
