import { describe, expect, test } from "vitest";
import { failure, readWith, rowsWith } from "../../../../../test/importers/read-description.ts";

/* Numbers that a float cannot hold: stored with a notice that names the line, or refused. */

const experiment = "*experiment e\n*parameter n int - 0\n*result x float s\n";
const count = "*experiment e\n*parameter n int - 0\n*result x float -\n";
const integers = "*experiment e\n*parameter n int - 0\n*result x int -\n";

describe.each(["", "RULES stream\n"])("%j", (rule) => {
  const store = rule === "" ? "" : " store=yes";
  const named = `${rule}NAMED x match="x ="${store}`;
  const table = `${rule}TABLE n row=#n pos=1\nTABLE x row=#n pos=2`;

  test.each([
    [experiment, named, "a\nx = 1e-400\n", "2: '1e-400' is below the range of a float: 0 is stored"],
    [experiment, named, "x = 1e-400 ms\n", "1: '1e-400' is below the range of a float: 0 is stored"],
    [experiment, table, "#n x\n1 2.5\n2 -1e-400\n", "3: '-1e-400' is below the range of a float: 0 is stored"],
    [
      count,
      named,
      "x = 9007199254740993\n",
      /^1: '9007199254740993' has more digits than a float: 9007199254740992 is/,
    ],
    [
      count,
      table,
      "#n x\n1 12345678901234567890\n",
      /^2: '12345678901234567890' has more digits than a float: 123456789/,
    ],
  ])("%#: reported", async (of, input, text, notice) => {
    const { runs, notices } = await readWith(of, input, text);
    expect(runs.flatMap(({ rows }) => rows)).not.toEqual([]);
    expect(notices).toEqual([typeof notice === "string" ? notice : (expect.stringMatching(notice) as string)]);
  });

  test.each([
    [experiment, named, "x = 1e400\n"],
    [experiment, table, "#n x\n1 -1e400\n"],
    [experiment, `${rule}NAMED x match="x =" scale=2${store}`, "x = 1e400\n"],
    [integers, named, "x = 9223372036854775808\n"],
  ])("%#: refused with its digits", async (of, input, text) => {
    const [digits] = /-?[\de]{5,}/.exec(text)!;
    const line = text.split("\n").length - 1;
    expect(await failure(input, text, undefined, of)).toMatch(new RegExp(`'${digits}'.*line ${line}`));
  });

  test("integers keep their digits", async () => {
    expect((await rowsWith(integers, named, "x = 9007199254740993\n")).flat()).toContain(9007199254740993n);
  });
});

test.each([
  ["3.0", 3],
  ["1e3", 1000],
  [".0", 0],
  ["-12.50e1", -125],
  ["9007199254740993.0", 9007199254740993n],
])("the rules of streams read %s as an integer", async (text, value) => {
  const input = 'RULES stream\nNAMED x match="x =" store=yes';
  expect((await rowsWith(integers, input, `x = ${text}\n`)).flat()).toContain(value);
});
