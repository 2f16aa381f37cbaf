import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { failure, readText } from "../../../../../test/importers/read-description.ts";

interface Row {
  readonly op: string;
  readonly S: number;
  readonly T: number | null;
}

const word = fc.stringMatching(/^[a-z]{2,6}$/);
const row: fc.Arbitrary<Row> = fc.record({
  op: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
  S: fc.nat({ max: 99_999 }),
  T: fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 9999 }).map((n) => n / 8) }, fc.constant(null)),
});
const rows = fc.array(row, { minLength: 1, maxLength: 6 });

/** Lays out cells in columns; `side` aligns each. */
function columnsOf(table: readonly (readonly string[])[], between: string, side: "padStart" | "padEnd"): string[] {
  const widths = (table[0] ?? []).map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0)));
  return table.map((cells) => cells.map((text, at) => text[side](widths[at] ?? 0)).join(between));
}

const side = fc.constantFrom("padStart" as const, "padEnd" as const);
const rules = fc.constantFrom("sets", "stream");
const headings = ["name of it", "size", "mean time"];

function cells(data: readonly Row[], missing: string): string[][] {
  return [headings, ...data.map(({ op, S, T }) => [op, String(S), T === null ? missing : String(T)])];
}

function expected(data: readonly Row[]): unknown[][] {
  return data.map(({ op, S, T }) => [S, op, T]);
}

async function imported(lines: readonly string[], data: readonly string[]): Promise<unknown[][]> {
  const { runs } = await readText(lines.map((line) => `${line}\n`).join(""), data.map((line) => `${line}\n`).join(""));
  return runs.flatMap((run) => run.rows);
}

describe("every row of a generated table is read", () => {
  test("between bars", async () => {
    const bar = fc.constantFrom("|", "│", "║");
    await fc.assert(
      fc.asyncProperty(rows, bar, fc.boolean(), side, rules, async (data, sign, framed, align, ruleSet) => {
        const lines = columnsOf(cells(data, ""), ` ${sign} `, align).map((line) =>
          framed ? `${sign} ${line} ${sign}` : line,
        );
        const [head = "", ...body] = lines;
        const columns = ["op", "S", "T"].map(
          (name, at) => `TABLE ${name} row="mean time" grid=yes pos="${headings[at]}"`,
        );
        const text = ["a", head, "---|---|---", ...body, "", "b | 1 | 2"];
        expect(await imported([`RULES ${ruleSet}`, ...columns], text)).toEqual(expected(data));
      }),
    );
  });

  test("with gaps, with a label, and at fixed positions", async () => {
    await fc.assert(
      fc.asyncProperty(rows, side, rules, async (data, align, ruleSet) => {
        const lines = columnsOf(cells(data, "-"), "   ", align);
        const text = ["a", ...lines, "", "b"];
        const names = ["op", "S", "T"];
        const shapes = [
          names.map((name, at) => `TABLE ${name} row="mean time" gap=3 missing=- pos="${headings[at]}"`),
          names.map(
            (name, at) =>
              `TABLE ${name} row="mean time" columns=3 missing=- pos=${at + 1}${name === "op" ? " label=yes" : ""}`,
          ),
          fixedColumns(names, lines),
          names.map((name, at) => `TABLE ${name} row="mean time" gap=2 header=1 missing=- pos="${headings[at]}"`),
        ];
        for (const columns of shapes)
          expect(await imported([`RULES ${ruleSet}`, ...columns], text)).toEqual(expected(data));
      }),
      { numRuns: 60 },
    );
  });

  test("with a line per variable", async () => {
    const values = fc.array(row, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 3 }), rules, async (blocks, ruleSet) => {
        const text = blocks.flatMap((data) => [
          "some text",
          `size :  ${data.map(({ S }) => S).join("   ")}`,
          `time    ${data.map(({ T }) => T ?? "n/a").join("  ")}`,
          `time in words: none`,
        ]);
        const lines = [`RULES ${ruleSet}`, "TRANSPOSED S row=size", "TRANSPOSED T row=time missing=n/a"];
        expect(await imported(lines, text)).toEqual(blocks.flatMap((data) => data.map(({ S, T }) => [S, T])));
      }),
    );
  });

  test("in a matrix", async () => {
    const across = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        across,
        rows,
        fc.constantFrom("", "procs", "op / procs"),
        rules,
        async (np, data, corner, ruleSet) => {
          fc.pre((corner !== "" || np.length > 1) && data.some(({ T }) => T !== null));
          const cell = (each: Row, at: number): number | null => (each.T === null ? null : each.T + at);
          const text = [
            `test with procs ${corner}`,
            `${corner === "" ? "procs" : corner} ${np.join(" ")}`,
            ...data.map((each) => `${each.op} ${np.map((_, at) => cell(each, at) ?? "-").join(" ")}`),
            "end of the test",
          ].slice(1);
          const lines = [`RULES ${ruleSet}`, "MATRIX T row=procs missing=-", "ACROSS np", "DOWN op label=yes"];
          const all = data.flatMap((each) => np.map((n, at) => [each.op, n, cell(each, at)]));
          expect(await imported(lines, text)).toEqual(all.filter(([, , T]) => T !== null));
        },
      ),
    );
  });
});

/** Columns at the positions where the headings and cells of lines stand. */
function fixedColumns(names: readonly string[], lines: readonly string[]): string[] {
  const blank = (at: number): boolean => lines.every((line) => (line[at] ?? " ") === " ");
  const length = Math.max(...lines.map((line) => line.length));
  const edges: number[] = [];
  for (let at = 0; at + 2 < length; at++) {
    const isGap = blank(at) && blank(at + 1) && blank(at + 2);
    if (isGap && (edges.at(-1) ?? -9) < at - 3) edges.push(at);
  }
  const [first = 0, second = 0] = edges;
  return [`1-${first + 1}`, `${first + 2}-${second + 1}`, `${second + 2}-`].map(
    (range, at) => `TABLE ${names[at]} row="mean time" chars=${range} missing=-`,
  );
}

describe.each(["sets", "stream"])("RULES %s", (ruleSet) => {
  const start = `RULES ${ruleSet}`;

  test("a matrix whose headings are not above its cells is refused", async () => {
    const lines = `${start}\nMATRIX T row=procs\nACROSS np\nDOWN S`;
    expect(await failure(lines, "procs 1 2 4\n8 1.5 2.5\n")).toBe(
      "line 1 has 4 entries, which are not the values of 'np' above 2 cells of line 2",
    );
    expect(await failure(lines, "procs\n8 1.5 2.5\n")).toContain("line 1 has 1 entry");
  });

  test("lines that look like rows after the end of a matrix are reported", async () => {
    const lines = `${start}\nMATRIX T row=procs\nACROSS np\nDOWN S\n`;
    const { runs, notices } = await readText(lines, "procs 1 2\n8 1 2\n\n16 3 4\nx y z\n32 5 6\n");
    expect(runs.flatMap((run) => run.rows)).toHaveLength(2);
    expect(notices).toContain("3: the matrix ends here, but lines after it look like its rows: 4, 6");
  });

  test.each([
    ["fewer cells", "DOWN S", "16 3", 2],
    ["more cells", "DOWN S", "16 3 4 5", 4],
    ["fewer cells after a label of several words", "DOWN op label=yes", "put 3", 2],
    ["a label of several words", "DOWN op", "put all 3 4", 4],
    ["a number that is too large", "DOWN S", "16 1e999", 2],
  ])("a line with %s that ends a matrix is reported", async (_, down, row, entries) => {
    const lines = `${start}\nMATRIX T row=procs\nACROSS np\n${down}\n`;
    const { runs, notices } = await readText(lines, `procs 1 2\n8 1 2\n${row}\nof 4 nodes\n`);
    expect(runs.flatMap((run) => run.rows)).toHaveLength(2);
    expect(notices).toEqual([
      `3: the matrix ends here, at a line that looks like a row but has ${entries} entries instead of 3`,
    ]);
  });

  test("a matrix may have lines with fewer cells", async () => {
    const lines = [start, "MATRIX T row=procs optional=yes", "ACROSS np", "DOWN S"];
    expect(await imported(lines, ["procs 1 2 4", "8 1.5", "16 2.5 3.5 4.5", "8 1 2 3 4"])).toEqual([
      [8, 1, 1.5],
      [16, 1, 2.5],
      [16, 2, 3.5],
      [16, 4, 4.5],
    ]);
  });

  test("lines of a transposed table with different numbers of entries are reported and not stored", async () => {
    const lines = `${start}\nTRANSPOSED S row=size\nTRANSPOSED T row=time\n`;
    const { runs, notices } = await readText(lines, "size 8 16\ntime 1\nsize 8\ntime 2\n");
    expect(runs.flatMap((run) => run.rows)).toEqual([[8, 2]]);
    expect(notices).toContain("2: the lines of a transposed table, lines 1, 2, have 2, 1 values: they are not stored");
  });

  test("units of headings and of marks are converted", async () => {
    const table = [start, "TABLE S row=size header=1 pos=size", "TABLE T row=size header=1 pos=time"];
    expect(await imported(table, ["size (KiByte)  mean time [ms]", "   1           1.5"])).toEqual([[1024, 1500]]);
    const lines = [start, "TRANSPOSED S row=size", 'TRANSPOSED T row="time [ms]"'];
    expect(await imported(lines, ["size 8 16", "time [ms] 1.5 2.5"])).toEqual([
      [8, 1500],
      [16, 2500],
    ]);
  });

  test.each([
    ["1.5 2.5 ms", [1500, 2500]],
    ["1.5 2.5 (ms)", [1500, 2500]],
    ["1.5 ms 2.5 us", [1500, 2.5]],
  ])("the units of a line of entries are converted: %s", async (text, times) => {
    const lines = [start, "TRANSPOSED S row=size", "TRANSPOSED T row=time"];
    const rows = times.map((time, at) => [8 * (at + 1), time]);
    expect(await imported(lines, ["size 8 16", `time: ${text}`])).toEqual(rows);
  });

  test.each([
    ["1.5 ms 2.5", "(line 2: some of its values have a unit, others have none)"],
    ["slow", "(line 2: 'slow' is not a valid float for 'T')"],
  ])("a line of entries that is not read is reported: %s", async (text, problem) => {
    const lines = `${start}\nTRANSPOSED S row=size\nTRANSPOSED T row=time\n`;
    const { notices } = await readText(lines, `size 8 16\ntime ${text}\nsize 4\ntime 1\n`);
    expect(notices.join()).toContain(problem);
  });

  test("a row with a group that has no value is reported", async () => {
    const lines = `${start}\nPATTERN regexp="S=(?<S>\\\\S+) T=(?<T>\\\\S+)" rows=yes\n`;
    const { runs, notices } = await readText(lines, "S=8 T=1.5 S=x T=2\nS=16 T=2.5\n");
    expect(runs.flatMap((run) => run.rows)).toEqual([
      [8, 1.5],
      [16, 2.5],
    ]);
    expect(notices).toContain("1: row skipped: 'x' is not a valid integer for 'S'");
  });

  test("a line of text only is no row of fixed positions", async () => {
    const lines = `${start}\nTABLE op row=name chars=1-9\nTABLE S row=name chars=10-14\nTABLE T row=name chars=15-\n`;
    const { runs, notices } = await readText(lines, "name\nbcast       8  1.5\nbarrier        2.5\nEnd of it\n");
    expect(runs.flatMap((run) => run.rows)).toEqual([
      [8, "bcast", 1.5],
      [null, "barrier", 2.5],
    ]);
    expect(notices.join("\n")).toContain("there are only texts in the columns, no value for 'S'");
  });

  test("words that positions cut are reported", async () => {
    const lines = `${start}\nTABLE S row=size chars=1-3\nTABLE T row=size chars=6-9\n`;
    const { notices } = await readText(lines, "size\n  8  1.5\n1234 2.5\n");
    expect(notices).toEqual(["3: chars= cut a word of this row"]);
  });

  test("headings that are repeated in another order select other columns", async () => {
    const lines = `${start}\nTABLE S row=size pos=size\nTABLE T row=size pos=time\n`;
    const { runs, notices } = await readText(lines, "size time\n8 1.5\ntime size\n2.5 16\n");
    expect([runs.flatMap((run) => run.rows), notices]).toEqual([
      [
        [8, 1.5],
        [16, 2.5],
      ],
      [],
    ]);
  });

  test("optional headings may be absent, others are entries of the row", async () => {
    const lines = [start, "TABLE S row=size pos=size", "TABLE T row=size pos=time optional=yes"];
    expect(await imported(lines, ["size rate", "8 9", "", "size time", "16 2.5"])).toEqual([
      [8, null],
      [16, 2.5],
    ]);
    const named = [start, "TABLE S row=size pos=1", 'TABLE T row=size pos="t="'];
    expect(await imported(named, ["size", "8 t= 1.5", "16 t= 2.5"])).toEqual([
      [8, 1.5],
      [16, 2.5],
    ]);
  });
});

test("under stream, a keyword of the header that the rows have as well is an entry of the row", async () => {
  const lines = "RULES stream\nTABLE S row=size pos=size\nTABLE T row=size pos=time\n";
  const { runs, notices } = await readText(lines, "size and time\nsize 8 time 1.5\nsize 16 time 2.5\n");
  expect(runs.flatMap((run) => run.rows)).toEqual([
    [8, 1.5],
    [16, 2.5],
  ]);
  expect(notices).toEqual([
    "2: 'size' is in the header of the table and in this row: the entry after it is read",
    "2: keyword in header and row: 1 more, on line 2",
  ]);
});

test("an optional column is missing where its filters leave nothing of a cell", async () => {
  const table = "row=size grid=yes";
  const filter = String.raw`filter="^.*±\\s*|^[^±]*$"`;
  const input = `TABLE S ${table} pos=1\nTABLE T ${table} pos=2\nTABLE B ${table} pos=2 ${filter} optional=yes\n`;
  const { names, runs } = await readText(input, "| size | t |\n| 1 | 2.5 |\n| 2 | 3.5 ± 0.5 |\n");
  const [size, time, deviation] = ["S", "T", "B"].map((name) => names.indexOf(name)) as [number, number, number];
  expect(runs[0]?.rows.map((row) => [row[size], row[time], row[deviation]])).toEqual([
    [1, 2.5, null],
    [2, 3.5, 0.5],
  ]);
});
