import { beforeEach, describe, expect, it } from "vitest";
import { Playground } from "./program.ts";

const experiment = `*experiment io
*parameter tasks int - once
*parameter access string
*parameter iter int
*result bw float MiByte/s
`;

const head = "access    bw(MiB/s)  block(KiB) iter\n------    ---------  ---------- ----\n";
const row = (at: number): string => `${at % 2 === 0 ? "write" : "read "}     ${100 + at}.25     1024       ${at}\n`;
const rowsOf = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => row(from + at)).join("");

let playground: Playground;

beforeEach(() => {
  playground = new Playground();
  playground.write("io.exp", experiment);
  playground.ok("experiment", "create", "io.exp");
});

/** Imports an output with 20 rows by a table with more descriptors; returns the number of rows and the warnings. */
function imported(rules: string, more: string, output: string): { rows: number; warnings: string } {
  const shared = `row=access ${rules === "stream" ? "skip=1 " : ""}${more}`;
  playground.write(
    "io.inp",
    [
      `RULES ${rules}`,
      `NAMED tasks match="tasks:"`,
      `TABLE access ${shared} pos=1`,
      `TABLE bw ${shared} pos=2`,
      `TABLE iter ${shared} pos=4\n`,
    ].join("\n"),
  );
  playground.write(
    "ior.out",
    `IOR-4.0: MPI Coordinated Test\ntasks: 16\n\n${output}\nMax Write: 118.25 MiB/sec (124.00 MB/sec)\n`,
  );
  const { status, stdout, stderr } = playground.run(["import", "-e", "io", "-d", "io.inp", "ior.out"]);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  return { rows: Number(/with (\d+) rows?/.exec(stdout)?.[1] ?? 0), warnings: stderr };
}

describe.each(["sets", "stream"])("a table of IOR, rules %s", (rules) => {
  it("names the rows after an empty line", () => {
    const output = `${head}${rowsOf(0, 10)}\n${rowsOf(10, 20)}`;
    const { rows, warnings } = imported(rules, "", output);
    expect(rows).toBe(10);
    expect(warnings).toContain("10 lines after the end of the table at line 16 look like its rows: 17-26");
  });

  it("goes on over empty lines", () => {
    const { rows, warnings } = imported(rules, "skip_blank=yes", `${head}${rowsOf(0, 10)}\n\n${rowsOf(10, 20)}`);
    expect([rows, warnings]).toEqual([20, ""]);
  });

  it("names the rows after a message of a slow node, and goes on over it on request", () => {
    const output = `${head}${rowsOf(0, 17)}slow node! n0042 (took 17 s)\n${rowsOf(17, 20)}`;
    const lost = imported(rules, "", output);
    expect(lost.rows).toBe(17);
    expect(lost.warnings).toContain("3 lines after the end of the table at line 23 look like its rows: 24-26");
  });
});

describe("a table of IOR", () => {
  it("goes on over lines with a pattern and over repeated heads", () => {
    const output = `${head}${rowsOf(0, 9)}slow node! n0042 (took 17 s)\n${rowsOf(9, 15)}${head}${rowsOf(15, 20)}`;
    expect(imported("sets", "skip_regexp=^slow skip_heads=yes", output)).toEqual({ rows: 20, warnings: "" });
  });

  it("whose first row does not fit is reported with the position, and its rows by their lines", () => {
    const output = `${head}write     100,25     1024       0\n${rowsOf(1, 20)}`;
    const { rows, warnings } = imported("sets", "", output);
    expect(rows).toBe(0);
    expect(warnings).toContain("the table has no rows: line 6, column 2: '100,25' is not a valid float for 'bw'");
    expect(warnings).toContain("19 lines after the end of the table at line 6 look like its rows: 7-25");
  });
});
