import { describe, expect, test } from "vitest";
import { readWith } from "../../../../../test/importers/read-description.ts";

const experiment = `*experiment e
*parameter n int - NULL
*result x float - NULL
*result y float - NULL
*result T float K NULL
`;
const table = (properties = 'row="n x"'): string => `TABLE n ${properties} pos=1\nTABLE x ${properties} pos=2\n`;
const doubt = (text: string, read: string): string =>
  `'${text}' may have a prefix: ${read} is read; give prefixes=decimal or binary`;

describe.each(["sets", "stream"])("a prefix after a blank, under the rules %s", (rules) => {
  const store = rules === "stream" ? " store=yes" : "";
  const read = async (input: string, text: string) => {
    const { runs, notices } = await readWith(experiment, `RULES ${rules}\n${input}`, text);
    return { rows: runs.flatMap((run) => run.rows), notices };
  };
  const named = `NAMED x match="x:"${store}`;

  test.each([
    [named, "x: 5 K\n", 5, doubt("5 K", "5")],
    [named, "x: 3.2 M, done\n", 3.2, doubt("3.2 M", "3.2")],
    [named, "x: 5 Ki rows\n", 5, doubt("5 Ki", "5")],
    [`NAMED x regexp="rate ([0-9]+) (?:K|M)"${store}`, "rate 5 K\n", 5, doubt("5 K", "5")],
    [`NAMED x regexp="rate (?P<x>[0-9]+)"${store}`, "rate 5 K\n", 5, doubt("5 K", "5")],
    [`EXPL x row=rate pos=2${store}`, "rate 5 K\n", 5, doubt("5 K", "5")],
    [named, "x: 5 KB\n", 5, undefined],
    [`NAMED x regexp="n ([0-9]+)"${store}`, "n 5 M=3\n", 5, undefined],
    [named, "x: 5 M: 3\n", 5, undefined],
    [named, "x: 5 Kings\n", 5, undefined],
    [`${named} prefixes=decimal`, "x: 5 K\n", 5000, undefined],
    [`${named} prefixes=binary`, "x: 5 K\n", 5120, undefined],
    [`NAMED T match="T:"${store}`, "T: 5 K\n", 5, undefined],
    [`NAMED x match="rows" content=leads${store}`, "took 5 K rows\n", undefined, "x"],
  ])("%s reads %j as %s", async (input, text, value, notice) => {
    const { rows, notices } = await read(input, text).catch((error: unknown) => ({
      rows: [],
      notices: [(error as Error).message],
    }));
    expect(rows.flat()).toEqual(value === undefined ? [] : [value]);
    expect(notices.join("\n")).toContain(notice ?? "");
    expect(notices.length > 0).toBe(notice !== undefined);
  });

  test.each([
    [named, "x: 5 KB\nx: 3 MB\n", "'3 MB' is read as 3, and a number in KB before it; give 'x' a unit"],
    [`NAMED x match="MiB/s" content=leads${store}`, "5 KB\n", ""],
    [
      `NAMED x regexp="t ([0-9]+)"${store}`,
      "t 5 s\nt 300 ms\n",
      "'300 ms' is read as 300, and a number in s before it",
    ],
    [named, "x: 5 MB\nx: 3 MByte\n", ""],
    [named, "x: 5 MB\nx: 3 MB/s\n", ""],
    [named, "x: 5 m\nx: 3 Mm\n", ""],
    [`EXPL x row=rate pos=2${store}`, "rate 5 KB\nrate 3 B\n", "'3 B' is read as 3"],
  ])("units of %s in %j", async (input, text, notice) => {
    const { notices } = await read(input, text).catch(() => ({ notices: [""] }));
    expect(notices.join("\n")).toContain(notice);
    expect(notices.some((each) => each.includes("before it"))).toBe(notice !== "");
  });

  test("units in tables are entries that no column reads, or parts of them", async () => {
    const mixed = "'3 MB' is read as 3, and a number in KB before it; give 'x' a unit";
    const rows = (...units: string[]) => `n x\n${units.map((unit, at) => `${at} 3 ${unit}\n`).join("")}`;
    expect((await read(table(), rows("KB", "KB", "MB", "KB"))).notices).toEqual([`4: ${mixed}`]);
    expect((await read(table(), rows("KB", "a", "x", "KB"))).notices).toEqual([]);
    const bars = rows("KB", "MB").replaceAll(/^(\S+) /gm, "$1|");
    expect((await read(table('row="n|x" separator="|"'), bars)).notices).toEqual([`3: ${mixed}`]);
  });

  test("in tables it is an entry that no column reads, or a part of one", async () => {
    const blank = await read(table(), "n x\n1 5 K\n2 3.2 M\n");
    expect(blank.rows).toEqual([
      [1, 5],
      [2, 3.2],
    ]);
    expect(blank.notices[0]).toBe(`2: ${doubt("5 K", "5")}`);
    expect((await read(table('row="n|x" separator="|"'), "n|x\n1|5 K\n2|3\n")).notices[0]).toBe(
      `2: ${doubt("5 K", "5")}`,
    );
    expect((await read(table(), "n x\n1 5\n2 3\n")).notices).toEqual([]);
  });

  test("in tables a letter before a colon is a name", async () => {
    const { rows, notices } = await read(table('row="n x" ws=" :"'), "n x\n1 5 P: 0\n2 3 P: 1\n");
    expect([rows, notices]).toEqual([
      [
        [1, 5],
        [2, 3],
      ],
      [],
    ]);
  });

  test("in tables a column that reads the letter is no prefix", async () => {
    const input = `${table()}TABLE flag row="n x" pos=3\n`;
    const { runs, notices } = await readWith(
      `${experiment}*parameter flag string - NULL\n`,
      `RULES ${rules}\n${input}`,
      "n x flag\n1 5 T\n2 3 F\n",
    );
    expect(runs.flatMap((run) => run.rows)).toEqual([
      [1, 5, "T"],
      [2, 3, "F"],
    ]);
    expect(notices).toEqual([]);
  });
});
