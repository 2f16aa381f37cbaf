import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { Playground } from "./program.ts";

interface Described {
  readonly rules: readonly { readonly variable: string; readonly values: number; readonly constant?: true }[];
  readonly samples: readonly { readonly rows: number; readonly unread: readonly { readonly line: number }[] }[];
}

const output = (np: number): string =>
  [
    "# bench 2.1",
    `ranks: ${np}`,
    "compiler: gcc",
    "",
    "Size      Rate (MB/s)",
    `64        ${np}0.5`,
    `256       ${np}1.25`,
    "overall 7 of 9",
    "",
  ].join("\n");

describe("perfkeep describe", () => {
  let play: Playground;

  beforeEach(() => {
    play = new Playground();
    for (const np of [4, 16]) writeFileSync(join(play.folder, `np${np}.txt`), output(np));
  });

  it("prints the proposal and writes nothing without -o", () => {
    const { status, stdout, stderr } = play.run(["describe", "np4.txt", "np16.txt"]);
    expect(status).toBe(0);
    expect(stdout).toContain("*experiment np\n");
    expect(stdout).toMatch(/^Rate +result +4 values {2}40\.5$/m);
    expect(stdout).toMatch(/^compiler +parameter +2 values {2}always gcc$/m);
    expect(stderr).toBe("Nothing was written. -o FOLDER writes the two files.\n");
    expect(existsSync(join(play.folder, "np.exp"))).toBe(false);
  });

  it("names the format if import reads it without a description", () => {
    const results = [{ command: "a", mean: 1, times: [1, 1.1], exit_codes: [0, 0] }];
    writeFileSync(join(play.folder, "h.json"), JSON.stringify({ results }, null, 2));
    const { stderr } = play.run(["describe", "h.json"]);
    expect(stderr).toContain("import reads this format, hyperfine, without a description: perfkeep import FILE\n");
    expect(play.json("describe", "np4.txt")).toMatchObject({ knownFormat: null });
  });

  it("names what it left out, since import would read other values", () => {
    writeFileSync(join(play.folder, "huge.txt"), "size time rate\n1 2.5 1.5\n2 1e400 2.5\n");
    expect(play.ok("describe", "huge.txt")).toContain("left out, since import would read other values: time\n");
    expect(play.json("describe", "huge.txt")).toMatchObject({ misread: ["time"] });
  });

  it("writes descriptions that create the experiment and import the samples", () => {
    play.ok("init");
    play.ok("describe", "-e", "net", "-o", "described", "np4.txt", "np16.txt");
    play.ok("experiment", "create", "described/net.exp");
    expect(play.ok("import", "-d", "described/net.inp", "np4.txt", "np16.txt")).toBe(
      "np4.txt: run 1 of net with 2 rows\nnp16.txt: run 2 of net with 2 rows\n",
    );
    expect(play.json("query", "net", "Rate", "--by", "np,Size")).toMatchObject({
      rows: [
        [4, 64, 40.5],
        [4, 256, 41.25],
        [16, 64, 160.5],
        [16, 256, 161.25],
      ],
    });
  });

  it.each([
    {
      what: "rows that differ in their numbers only, with bars and labels of numbers",
      text: "12:   3001  98 |  33722  99\n13:   2896  99 |  29099  91\n14:   2358  91 |  26110  88\n",
      caught: 15,
    },
    {
      what: "the single row below a heading that is printed again, with a word more",
      text: [
        "[ ID] Interval    Transfer     Bitrate",
        "[  5] 0.00-1.00 sec 1.28 GBytes 11.0 Gbits/sec",
        "[  5] 1.00-2.00 sec 1.22 GBytes 10.4 Gbits/sec",
        "- - - - - -",
        "[ ID] Interval    Transfer     Bitrate",
        "[  5] 0.00-2.00 sec 2.50 GBytes 10.7 Gbits/sec    receiver",
        "",
      ].join("\n"),
      rows: 3,
    },
    { what: "values without any parameter", text: "10000 loops, best time: 31.2 usec\n", caught: 2 },
  ])("imports what it proposes for $what", ({ text, caught, rows }) => {
    writeFileSync(join(play.folder, "out.txt"), text);
    const { rules, samples } = play.json("describe", "-e", "net", "-o", ".", "out.txt") as Described;
    if (caught !== undefined) expect(rules.reduce((sum, { values }) => sum + values, 0)).toBe(caught);
    if (rows !== undefined) expect(samples[0]?.rows).toBe(rows);
    play.ok("init");
    play.ok("experiment", "create", "net.exp");
    play.ok("import", "-d", "net.inp", "out.txt");
  });

  it("overwrites files only with --force", () => {
    play.ok("describe", "-e", "net", "-o", ".", "np4.txt");
    const before = readFileSync(join(play.folder, "net.inp"), "utf8");
    const again = play.run(["describe", "-e", "net", "-o", ".", "np16.txt", "np4.txt"]);
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining("[description-exists]")]);
    expect(readFileSync(join(play.folder, "net.inp"), "utf8")).toBe(before);
    expect(play.run(["describe", "-e", "net", "-o", ".", "--force", "np16.txt", "np4.txt"]).status).toBe(0);
  });

  it("refuses samples without numbers", () => {
    writeFileSync(join(play.folder, "words.txt"), "nothing to see\n");
    const { status, stderr } = play.run(["describe", "words.txt"]);
    expect([status, stderr]).toEqual([4, expect.stringContaining("[nothing-to-describe]")]);
  });

  it("reports lines with numbers that no rule reads", () => {
    writeFileSync(join(play.folder, "odd.txt"), "time: 1.5 s\n$ run --size 16 --repeat 3\n");
    const { samples } = play.json("describe", "odd.txt") as Described;
    expect(samples[0]?.unread).toEqual([{ line: 2, text: "$ run --size 16 --repeat 3" }]);
  });

  it("reads every cell of generated tables as printed", () => {
    const column = fc.record({
      name: fc.stringMatching(/^[a-df-z]{3,8}$/),
      values: fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 6, maxLength: 6 }),
    });
    const table = fc.record({
      columns: fc.uniqueArray(column, { minLength: 2, maxLength: 5, selector: ({ name }) => name }),
      separator: fc.constantFrom("  ", " | ", ";", "\t"),
      foreign: fc.boolean(),
    });
    fc.assert(
      fc.property(table, ({ columns, separator, foreign }) => {
        const cells = columns.map(({ values }) => values.map((value) => value.toFixed(3)));
        const rows = cells[0]!.map((_, row) => cells.map((each) => each[row]!.padStart(12)).join(separator));
        if (foreign && separator === "  ") rows.splice(3, 0, "warning: a node is slow");
        const heading = columns.map(({ name }) => name.padStart(12)).join(separator);
        writeFileSync(join(play.folder, "table.txt"), ["made by a test", heading, ...rows, ""].join("\n"));
        const { rules, samples } = play.json("describe", "table.txt") as Described;
        expect(rules.map(({ variable, values }) => [variable, values])).toEqual(columns.map(({ name }) => [name, 6]));
        expect(samples[0]).toMatchObject({ rows: 6, unread: [] });
      }),
      { numRuns: 12, seed: 20 },
    );
  });
});
