import { beforeEach, describe, expect, it } from "vitest";
import { Playground } from "./program.ts";

let folder: Playground;

beforeEach(() => {
  folder = new Playground();
});

/** Creates an experiment and its input description, and imports a text. Returns what is reported. */
function importText(
  variables: readonly string[],
  description: readonly string[],
  text: string,
  ...options: string[]
): { readonly status: number; readonly notices: string } {
  folder.write("e.exp", ["*experiment e", "*parameter host string once default=any", ...variables, ""].join("\n"));
  folder.write("e.inp", `${description.join("\n")}\n`);
  folder.write("e.out", text);
  folder.ok("experiment", "create", "e.exp");
  const { status, stderr } = folder.run(["import", "-e", "e", "-d", "e.inp", ...options, "e.out"]);
  return { status: status ?? -1, notices: stderr };
}

const rows = (...names: string[]): unknown => (folder.json("query", "e", ...names) as { rows: unknown }).rows;

describe("times", () => {
  const taken: readonly (readonly [text: string, stored: string])[] = [
    ["2024-04-03 12:00:01,123", "2024-04-03T12:00:01.123Z"],
    ["2024-04-03 12:00:01,123 INFO main: start", "2024-04-03T12:00:01.123Z"],
    ["2024-04-03 01:00:01 PM", "2024-04-03T13:00:01Z"],
    ["2024-04-03 12:00:01 CEST", "2024-04-03T10:00:01Z"],
    ["March 28, 2021", "2021-03-28T00:00:00Z"],
    ["Sun Mar 28 02:30:00 UTC 2021", "2021-03-28T02:30:00Z"],
    ["2024-04-03 12:00:01.123456", "2024-04-03T12:00:01.123456Z"],
  ];
  const refused: readonly (readonly [text: string, problem: string])[] = [
    ["2024-04-03 25:00:01", "its time of day is out of range"],
    ["03/28/2021", "the order of day and month is not known; give format="],
    ["29.2.2023", "there is no such day"],
    ["2024-04-03 12:00:01 CST", "the zone CST is ambiguous"],
  ];

  it.each(["", "RULES stream\n"])("are stored whole (%j)", (rules) => {
    const names = taken.map((_, at) => `t${at}`);
    const { status, notices } = importText(
      [...names.map((name) => `*result ${name} timestamp - NULL once`), "*result x float"],
      [
        ...names.map((name) => `${name === "t0" ? rules : ""}NAMED ${name} match="${name}="`),
        'NAMED x match="x=" store=yes',
      ].map((line) => (rules === "" ? line.replace(" store=yes", "") : line)),
      `${taken.map(([text], at) => `t${at}=${text}`).join("\n")}\nx=1\n`,
    );
    expect([status, notices]).toEqual([0, ""]);
    expect(rows(...names)).toEqual([taken.map(([, stored]) => stored)]);
  });

  it("that cannot be read without doubt are reported, and nothing is stored", () => {
    const names = refused.map((_, at) => `t${at}`);
    const { status, notices } = importText(
      [...names.map((name) => `*result ${name} timestamp - NULL once`), "*result x float"],
      [...names.map((name) => `NAMED ${name} match="${name}="`), 'NAMED x match="x="'],
      `${refused.map(([text], at) => `t${at}=${text}`).join("\n")}\nx=1\n`,
    );
    expect(status).toBe(0);
    for (const [at, [text, problem]] of refused.entries())
      expect(notices).toContain(`e.out:${at + 1}: '${text}' is no timestamp: ${problem}`);
    expect(rows(...names)).toEqual([refused.map(() => null)]);
  });

  it("that cannot be read without doubt end an import by the rules stream", () => {
    const { status, notices } = importText(
      ["*result t timestamp"],
      ["RULES stream", 'NAMED t match="t=" store=yes'],
      "t=2024-04-03 25:00:01\n",
    );
    expect([status, notices]).toEqual([4, expect.stringContaining("its time of day is out of range, at line 1")]);
  });

  it("have the format and the zone that the description gives", () => {
    const { notices } = importText(
      ["*result a timestamp", "*result b date", "*result c timeofday", "*result d timestamp"],
      [
        'NAMED a match="a=" format="%d/%m/%Y %H:%M:%S" zone=CET',
        'NAMED b match="b=" format="%m/%d/%Y"',
        'NAMED c match="c=" format="%I:%M:%S %p CST"',
        'NAMED d match="d=" format=%s',
      ],
      "a=03/04/2021 12:00:01\nb=03/28/2021\nc=01:00:01 PM CST\nd=1617000000\n",
    );
    expect(notices).toBe("");
    expect(rows("a", "b", "c", "d")).toEqual([
      ["2021-04-03T11:00:01Z", "2021-03-28", "13:00:01", "2021-03-29T06:40:00Z"],
    ]);
  });

  it.each([
    ['NAMED t match="t=" format="%d/%m"', "the format '%d/%m' has no year"],
    ['NAMED t match="t=" zone=CST', "the zone CST is ambiguous"],
    ['NAMED t match="t=" decimal=","', "'t': decimal= is not for type timestamp"],
    ['NAMED t match="t=" format="%H:%M"', "'t': the format '%H:%M' has no date"],
    ['NAMED n match="n=" format=%F', "'n': format= is not for type integer"],
    ['NAMED n match="n=" decimal=, thousands=,', "decimal and thousands are the same sign"],
  ])("%s is an error", (line, problem) => {
    const { status, notices } = importText(["*result t timestamp", "*result n int"], [line], "t=1\nn=1\n");
    expect([status, notices]).toEqual([4, expect.stringContaining(problem)]);
  });
});

describe("units", () => {
  const variables = ["*result a float MByte/s", "*result b float MByte/s", "*result c float MByte/s"];

  it("after a blank are converted at names, positions and in tables", () => {
    const { notices } = importText(
      [...variables, "*result d float MByte/s", "*result e float s"],
      [
        "NAMED a alias=bandwidth",
        'EXPL b row="peak" pos=2',
        "TABLE c row=columns pos=1",
        'TABLE d row=heads pos="rate[GByte/s]"',
        "TABLE e row=heads pos=time",
      ],
      [
        "bandwidth: 5 KByte/s",
        "peak 7 GByte/s",
        "columns",
        "1 GByte/s",
        "2 KByte/s",
        "",
        "heads rate[GByte/s] time",
        "x 3 4",
        "",
      ].join("\n"),
    );
    expect(notices).toBe("");
    expect(rows("a", "b", "c", "d", "e")).toEqual([
      [0.005, 7000, 1000, null, null],
      [0.005, 7000, 0.002, null, null],
      [0.005, 7000, null, 3000, 4],
    ]);
  });

  it("are converted by the rules stream as well", () => {
    importText(
      variables,
      ["RULES stream", 'NAMED a match="bandwidth:"', "EXPL b row=peak pos=2", "TABLE c row=columns pos=1"],
      "bandwidth: 5 KByte/s\npeak 7GByte/s\ncolumns\n1 GByte/s\n2 KByte/s\n",
    );
    expect(rows("a", "b", "c")).toEqual([
      [0.005, 7000, 1000],
      [0.005, 7000, 0.002],
    ]);
  });

  it("with a decimal prefix for a binary one are converted by the rules sets only", () => {
    const imported = (rules: string): unknown => {
      folder = new Playground();
      importText(
        ["*result m float MiByte"],
        [`RULES ${rules}`, `NAMED m match="memory"${rules === "stream" ? " store=yes" : ""}`],
        "memory 256 MByte\n",
      );
      return rows("m");
    };
    expect(imported("stream")).toEqual([[256]]);
    expect(imported("sets")).toEqual([[256e6 / 2 ** 20]]);
  });

  it("that do not convert are reported", () => {
    const { notices } = importText(
      [...variables, "*result n int Byte"],
      ['NAMED a match="a="', 'NAMED b match="b="', 'NAMED c match="c="', 'NAMED n match="n="'],
      "a=7 ms\nb=7 Mb/s\nc=7 rows\nn=4k\n",
    );
    expect(notices).toContain("e.out:1: '7 ms': 'ms' does not convert to MByte/s");
    expect(notices).toContain("e.out:2: '7 Mb/s': 'Mb/s' does not convert to MByte/s");
    expect(notices).toContain("e.out:4: '4k': k is 1000-based or 1024-based; give prefixes=decimal or binary");
    expect(rows("a", "b", "c", "n")).toEqual([[null, null, 7, null]]);
  });
});

describe("notations of numbers", () => {
  const variables = ["*result a float", "*result b float", "*result n int Byte", "*result t float"];
  const text = "a: 1.234,5\nb: 1.5D+03\nn: 4k\nT\n2,5\n3,5\n";

  it.each(["", "RULES stream"])("are given by descriptors (%j)", (rules) => {
    importText(
      variables,
      [
        ...(rules === "" ? [] : [rules]),
        'NAMED a match="a:" decimal="," thousands="."',
        'NAMED b match="b:"',
        'NAMED n match="n:" prefixes=binary',
        'TABLE t row=T pos=1 decimal=","',
      ],
      text,
    );
    expect(rows("a", "b", "n", "t")).toEqual([
      [1234.5, 1500, 4096, 2.5],
      [1234.5, 1500, 4096, 3.5],
    ]);
  });

  it("are those of a locale, also when the import is repeated", () => {
    const lines = [
      'NAMED a match="a:"',
      'NAMED b match="b:" decimal=.',
      'NAMED n match="n:" prefixes=decimal',
      "TABLE t row=T pos=1",
    ];
    const { notices } = importText(variables, lines, text, "--locale", "de");
    const expected = [
      [1234.5, 1500, 4000, 2.5],
      [1234.5, 1500, 4000, 3.5],
    ];
    expect([notices, rows("a", "b", "n", "t")]).toEqual(["", expected]);
    folder.ok("rebuild", "experiments");
    expect(rows("a", "b", "n", "t")).toEqual(expected);
  });

  it("are reported when the description does not give them", () => {
    const { notices } = importText(variables, ['NAMED a match="a:"', 'NAMED b match="b:"'], text);
    expect(notices).toContain("e.out:1: 'a:' found, but no float after it");
    expect(rows("a", "b")).toEqual([[null, 1500]]);
    folder.write("s.inp", 'RULES stream\nNAMED a match="a:" store=yes\n');
    folder.write("s.out", "a: 1,234,567\n");
    const refused = folder.run(["import", "-e", "e", "-d", "s.inp", "s.out"]);
    expect([refused.status, refused.stderr]).toEqual([4, expect.stringContaining("give thousands=")]);
  });
});

describe("lines that overwrite themselves, as progress displays do", () => {
  const text =
    "speed: 1 MByte/s\rspeed: 25 MByte/s\r\u001b[32mspeed: 17\u001b[K MByte/s\nsize  time\n1  2\r\n3  4\r\r\n";

  it.each(["RULES sets\n", "RULES stream\n"])("are read as a terminal shows them, and reported (%j)", (rules) => {
    const { status, notices } = importText(
      ["*parameter size int", "*result time float s", "*result speed float MByte/s"],
      [`${rules}NAMED speed match="speed:"`, 'TABLE size row="size  time" pos=1', 'TABLE time row="size  time" pos=2'],
      text,
    );
    expect([status, notices]).toEqual([
      0,
      "e.out:1: this line overwrites itself with carriage returns: what a terminal shows in the end is read\n",
    ]);
    expect(rows("size", "time", "speed")).toEqual([
      [1, 2, 17],
      [3, 4, 17],
    ]);
  });
});
