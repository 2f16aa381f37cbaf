import { describe, expect, test } from "vitest";
import { failure, readWith } from "../../../../../test/importers/read-description.ts";

const experiment = `*experiment e
*parameter np int - NULL
*parameter host string - NULL
*parameter D duration - NULL
*result B float KByte/s NULL
*result T float s NULL
`;
const names = ["np", "host", "D", "B", "T"];
const marks = names.map((name) => `NAMED ${name} alias=${name}`).join("\n");
const streamed = `RULES stream\n${marks.replace("alias=T", "alias=T store=yes")}`;

async function read(input: string, text: string): Promise<{ row: Record<string, unknown>; notices: string[] }> {
  const { names: found, runs, notices } = await readWith(experiment, input, text);
  const cells = runs[0]?.rows[0] ?? [];
  return { row: Object.fromEntries(found.map((name, at) => [name, cells[at] ?? undefined])), notices };
}

describe("numbers that are only a part of what is written", () => {
  test.each([
    ["B: 1 000 KB/s", "'1 000 KB/s' may have blanks as separators of thousands"],
    ["B: 12 345 KB/s", "separators of thousands"],
    ["B: 1\u00a0048\u202f576.5", "separators of thousands"],
    ["T = 5 s 3 min", "'5 s 3 min' has two amounts of time"],
    ["T = 5 min 3 s", "'5 min 3 s' has two amounts of time"],
    ["T = 2h 5.5 s", "two amounts"],
    ["D = 5 s 3 min", "5 s 3 min"],
  ])("%s is reported, and refused by the rules stream", async (text, problem) => {
    const variable = text.slice(0, 1);
    const { row, notices } = await read(marks, `np: 1, ${text}\n${variable === "T" ? "B: 1" : "T=1"}\n`);
    expect(row[variable]).toBeUndefined();
    expect(notices.join()).toContain(problem);
    expect(notices.join()).toMatch(/^1: /);
    expect(await failure(streamed, `${text}\nT=1\n`, undefined, experiment)).toMatch(/line 1/);
  });

  test.each([
    ["B: 128 128 128", 128],
    ["B: 12 345", 12],
    ["B: 12 345x", 12],
    ["B: 1000 000", 1000],
    ["B: 5 2023-01-01", 5],
  ])("%s", async (text, value) => {
    for (const input of [marks, streamed]) expect((await read(input, `${text}\nT=1\n`)).row["B"]).toBe(value);
  });

  test.each([
    ["B: 12 345", 12],
    ["B: 12 345 packets", 12],
    ["B=1\u00a0234\u202f567.5", 1],
    ["B: [512 256 128]", 512],
  ])("%s is read with a notice", async (text, value) => {
    for (const input of [marks, streamed]) {
      const { row, notices } = await read(input, `${text}\nT=1\n`);
      expect(row["B"]).toBe(value);
      expect(notices).toEqual([
        expect.stringMatching(/^1: '.* may have blanks as separators of thousands, \d+ is read/),
      ]);
    }
  });

  test.each([
    "B: 128 128 128",
    "B: 12 345x",
    "B: 12 3456",
    "B: 5 2023-01-01",
    "B: 12  345",
    "B: 12 345/400",
    "B: 1 100 2000",
    "B: 1.5 200",
  ])("%s is read without a notice", async (text) => {
    for (const input of [marks, streamed]) expect((await read(input, `${text}\nT=1\n`)).notices).toEqual([]);
  });

  test("before a mark, and with separators that the description names", async () => {
    const leading = 'NAMED B alias=packets content=leads\nNAMED T regexp="took ([0-9 ]+)"\n';
    const { row, notices } = await read(leading, "sent 12 345 packets, took 23 456\n");
    expect(row).toMatchObject({ B: 345, T: 23 });
    expect(notices).toEqual([
      `1: '12 345' may have blanks as separators of thousands, 345 is read; give thousands=" "`,
      `1: '23 456' may have blanks as separators of thousands, 23 is read; give thousands=" "`,
    ]);
    const named = leading.replaceAll("\n", ' thousands=" "\n');
    const { row: whole, notices: none } = await read(named, "sent 12 345 packets, took 23 456\n");
    expect([whole["B"], whole["T"], none]).toEqual([12345, 23456, []]);
  });

  test("amounts with fractions, or in the same unit, are several values", async () => {
    for (const input of [marks, streamed]) {
      expect((await read(input, "T: [998.5 ms 1.1 s 1.2 s]\n")).row["T"]).toBe(0.9985);
      expect((await read(input, "T: 5 ms 7 ms\n")).row["T"]).toBe(0.005);
      expect((await read(input, "D: 5 min 3 s\nT=1\n")).row["D"]).toBe(303);
    }
  });

  test("in a table blanks separate entries", async () => {
    const table = "TABLE B row=#B pos=1\nTABLE T row=#B pos=2\n";
    for (const rule of ["", "RULES stream\n"]) {
      const rows = await readWith(experiment, rule + table, "#B T\n12 345\n12 345 s\n");
      expect(rows.runs[0]?.rows[0]).toEqual([12, 345]);
      expect((await readWith(experiment, rule + table, "#B T\n7 5 ms 3 s\n")).runs[0]?.rows[0]).toEqual([7, 0.005]);
    }
  });
});

describe("a value that a line has twice", () => {
  test.each([
    ["T=5 T=6", "T", 5, "T = 6"],
    ["host: a, host: b", "host", "a,", "host = b"],
  ])("%s", async (text, variable, value, second) => {
    for (const input of [marks, streamed]) {
      const { row, notices } = await read(input, `x ${text}\nT=5\n`);
      expect(row[variable]).toBe(value);
      expect(notices).toContain(`1: '${second}' again in this line: the first value counts`);
    }
  });

  test.each(["T=5 T=5", "T=5 of T", "host: a on host b, T=5", "T=5 BT=6"])("%s has one", async (text) => {
    for (const input of [marks, streamed]) expect((await read(input, `${text}\n`)).notices).toEqual([]);
  });

  test("a pattern that matches twice", async () => {
    const { row, notices } = await read('NAMED T regexp="([0-9]+) s"', "took 5 s, 6 s\n");
    expect([row["T"], notices]).toEqual([5, ["1: 'T = 6' again in this line: the first value counts"]]);
  });
});

test("under the rules stream a keyword without a number is reported", async () => {
  const { row, notices } = await read(streamed, "np=2\nnp=four\nT=1\n");
  expect([row["np"], notices]).toEqual([2, ["2: 'np' found, but no integer after it"]]);
  const explicit = "RULES stream\nEXPL np row=2 pos=1\nNAMED T alias=T store=yes\n";
  expect((await read(explicit, "x\nfour\nT=1\n")).notices).toEqual(["2: no integer for 'np' in 'four'"]);
});

test.each([
  ['separator=";"', "B;T", "7;1.5 2.5"],
  ["grid=yes", "| B | T |", "| 7 | 1.5 2.5 |"],
  ["gap=2", "B    T", "7    1.5 2.5"],
])("an entry with two numbers is reported: %s", async (shape, head, row) => {
  const table = ["B", "T"].map((name) => `TABLE ${name} row=1 ${shape} pos=${name}\n`).join("");
  for (const rule of ["", "RULES stream\n"]) {
    const { runs, notices } = await readWith(experiment, rule + table, `${head}\n${row}\n`);
    expect(runs[0]?.rows).toEqual([[7, 1.5]]);
    expect(notices).toEqual(["2: '1.5 2.5' has several numbers, of which the first is read"]);
  }
});

/* One value in every kind of location, under each set of rules. */

const target = "*experiment e\n*parameter n int - NULL\n*parameter m int - NULL\n*result x float us NULL\n";
const locations: readonly (readonly [input: string, line: (text: string) => string])[] = [
  ["NAMED x alias=took", (text) => `took: ${text}`],
  ['NAMED x regexp="took <(.*)>"', (text) => `took <${text}>`],
  ['NAMED x match=" was" content=leads', (text) => `${text} was`],
  ['EXPL x row="row:" pos=2', (text) => `row: ${text}`],
  ["TABLE n row=#n pos=1\nTABLE x row=#n pos=2", (text) => `#n x\n1 ${text}`],
  ['TABLE n row=#n separator=";" pos=1\nTABLE x row=#n separator=";" pos=2', (text) => `#n;x\n1;${text}`],
  ['TABLE n row="| n" grid=yes pos=1\nTABLE x row="| n" grid=yes pos=2', (text) => `| n | x |\n| 1 | ${text} |`],
  ["TABLE n row=#n gap=2 pos=1\nTABLE x row=#n gap=2 pos=2", (text) => `#n   x\n1   ${text}`],
  ["TABLE n row=#n chars=1-4\nTABLE x row=#n chars=5-", (text) => `#n  x\n1   ${text}`],
  ['TRANSPOSED n row=#n separator=";"\nTRANSPOSED x row=#x separator=";"', (text) => `#n: 1\n#x: ${text}`],
  ['MATRIX x row=#n separator=";"\nACROSS m\nDOWN n', (text) => `#n;5\n1;${text}`],
  ['PATTERN regexp="(?<n>[0-9]+)=(?<x>[^;]*);" rows=yes', (text) => `1=${text};`],
];
const kinds = ["sets", "stream"].flatMap((rule) =>
  locations.map(([input, line]) => {
    const store = rule === "stream" && /^(?:NAMED|EXPL)/.test(input) ? " store=yes" : "";
    return [`RULES ${rule}\n${input}${store}\n`, line, rule] as const;
  }),
);

describe.each(kinds)("%s", (input, line, rule) => {
  /** The values of `x`, and the notices or the failure. */
  async function valueOf(text: string): Promise<{ values: unknown[]; reported: string }> {
    const refused = await failure(input, `${line(text)}\n`, undefined, target);
    if (refused !== "no failure") return { values: [], reported: refused };
    const { names: found, runs, notices } = await readWith(target, input, `${line(text)}\n`);
    return { values: runs.flatMap(({ rows }) => rows.map((row) => row[found.indexOf("x")])), reported: notices.join() };
  }

  test.each(["5 +- 1 ms", "5 \u00b1 1 ms", "5+/-1 ms", "5\u00b11ms", "5 ms +- 1 ms", "5 (1) ms", "5 (\u00b1 1 ms)"])(
    "a tolerance precedes the unit: %s",
    async (text) => expect(await valueOf(text)).toEqual({ values: [5000], reported: "" }),
  );

  test.each([
    ["5 \u00b1 2 %", 5],
    ["\u22125", -5],
    ["**5**", 5],
    ["5*", 5],
    ["5\u2020", 5],
    ["`5` ms", 5000],
    ["<5 ms>", 5000],
    ["5 (10)", input.includes("leads") ? 10 : 5],
  ])("%s is read", async (text, value) => expect(await valueOf(text)).toEqual({ values: [value], reported: "" }));

  test.each(["<5 ms", "> 5 ms", "<=5 ms", "~5 ms", "\u22485 ms", "3..5", "3-5", "5/10", "5:10", "1_000", "5+"])(
    "%s is reported, and stored by the rules stream alone",
    async (text) => {
      const { values, reported } = await valueOf(text);
      expect(reported).not.toBe("");
      expect(values.filter((value) => value !== undefined && rule === "sets")).toEqual([]);
    },
  );

  test.each([
    "3-5 ms",
    "3 to 5 ms",
    "3 \u2013 5 ms",
    "10^3",
    "1.5\u00d710\u00b3",
    "1.5 x 10^3",
    "5\u00b2",
    "5 m",
    "1.#INF",
  ])("%s is reported, and not stored", async (text) => {
    const { values, reported } = await valueOf(text);
    expect(reported).not.toBe("");
    // A value that precedes its mark has its own unit.
    expect(values.filter((value) => value !== null && !input.includes("leads"))).toEqual([]);
  });

  const entriesAreWords = /EXPL|row=#n pos/.test(input);
  const isDelimited = !entriesAreWords && !input.includes("NAMED");
  test.each([
    ...(entriesAreWords ? [] : ["12 345", "1 234,5", "3 - 5"]),
    ...(isDelimited ? ["1.5 2.5", "1 ms 2 ms", "1 us - 2 us"] : []),
  ])("%s has a notice", async (text) => expect((await valueOf(text)).reported).not.toBe(""));
});
