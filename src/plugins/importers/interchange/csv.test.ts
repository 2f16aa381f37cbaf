import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inPieces } from "../../../../test/contracts/arbitrary-stacks.ts";
import { readReport, readSample, reportImporterContract } from "../../../../test/contracts/report-importer.ts";
import { formatUnit } from "../../../core/values/index.ts";
import { rowsOf } from "../../../core/tables/table.ts";
import { csv } from "./csv.ts";

const folder = "test/samples/csv";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

reportImporterContract(csv, [`${folder}/quoted.csv`, `${folder}/semicolons.csv`]);

test("texts and repeated values are parameters, numbers in base units are results", async () => {
  const [run] = await readSample(csv, `${folder}/quoted.csv`);
  expect(run!.variables.map(({ name, role, type, better }) => [name, role, type, better])).toEqual([
    ["case", "parameter", "string", undefined],
    ["size", "result", "float", undefined],
    ["threads", "parameter", "float", undefined],
    ["time", "result", "float", "lower"],
    ["ok", "parameter", "boolean", undefined],
    ["MB_s", "result", "float", "higher"],
  ]);
  expect(run!.rows[0]).toEqual({ case: "copy, small", size: 4096, threads: 1, time: 0.0015, ok: true, MB_s: 2.5 });
  expect(run!.rows[2]).toEqual({ case: 'say "hi"\nthere', size: 8192, threads: 2, ok: false, MB_s: 4 });
  const [other] = await readSample(csv, `${folder}/semicolons.csv`);
  expect(other!.rows[0]).toEqual({ op: "read", n: 10, latency: 0.00025 });
});

test("an integer column named sample is the replicate index, even if its values are unique", async () => {
  const [run] = await readReport(csv, bytes("sample,time [s]\n1,2.5\n2,2.25\n"));
  expect(run!.variables.map(({ name, role, type }) => [name, role, type])).toEqual([
    ["sample", "parameter", "integer"],
    ["time", "result", "float"],
  ]);
  const [other] = await readReport(csv, bytes("sample,time [s]\n1.5,2.5\n2,2.25\n"));
  expect(other!.variables[0]).toMatchObject({ role: "result", type: "float" });
  const late = readReport(csv, bytes(`sample,time\n${"1,1.5\n".repeat(10_000)}1.5,2\n`));
  await expect(late).rejects.toMatchObject({
    message: "some.file:10002: column sample: '1.5' is not an integer as in the first rows",
  });
});

test.each([
  ["id,t\n007,1.5\n010,2.5\n", ["007", "010"]],
  ["commit,t\n1234567,1.5\n00e4567,2.5\n", ["1234567", "00e4567"]],
  ["node version,t\n1.10,1.5\n1.9,2.5\n", ["1.10", "1.9"]],
])("names that look like numbers are texts: %j", async (text, names) => {
  const [run] = await readReport(csv, bytes(text));
  expect(run!.rows.map((row) => Object.values(row)[0])).toEqual(names);
  expect(run!.notices).toEqual([]);
});

test.each([
  ["u,t\n2.5,1\noops,2\n", "column u is a text: 'oops' is not a number"],
  ["u,t\n2.5,1\nn/a,2\n-,3\n3,4\n", "'n/a' in a column of numbers is a missing value, as 1 more from here on"],
  ["u;t\n2,5;1\n3,5e-05;2\n", "column u is a text: '2,5' is not a number"],
  ['u,t\n"1,234",1\n"2,345",2\n', "column u is a text: '1,234' is not a number"],
  ["u,t\n12 ms,1\n15 s,2\n", "column u is a text: '12 ms' is not a number"],
  [
    "u,t\na,9007199254740993\nb,5\nc,9007199254740995\n",
    "column t: '9007199254740993' has more digits than a float: 9007199254740992 is stored, as 1 more from here on",
  ],
  ["u,t\na,1.5\nb,-1e-400\n", "column t: '-1e-400' is below the range of a float: 0 is stored"],
])("columns that may be numbers are reported: %j", async (text, notice) => {
  expect((await readReport(csv, bytes(text)))[0]!.notices).toEqual([notice]);
});

test.each(["4k,1\n16k,2", "1.2.3,1\n1.10.0,2", "2026-01-01,1\n2026-01-02,2", "a,1\n2,2\nb,3", ",1\nx,2"])(
  "other columns are not: %j",
  async (rows) => {
    expect((await readReport(csv, bytes(`u,t\n${rows}\nz,9007199254740992\n`)))[0]!.notices).toEqual([]);
  },
);

test("rows with fewer cells than the header are reported", async () => {
  const [run] = await readReport(csv, bytes('a,t,u\nx,1.5,2\ny,2.5\n"z",3.5,4\nDone in 12 s\n'));
  expect(run!.rows).toHaveLength(4);
  expect(run!.notices).toEqual([
    "2 of the rows from here on have fewer cells than the header: the last ones are missing",
  ]);
});

test("unknown units with spaces around them stay part of the name", async () => {
  const [run] = await readReport(csv, bytes("a,t[ Ki],u( ms )\nx,1.5,2.5\ny,2.5,3.5\n"));
  expect(run!.variables.map(({ name }) => name)).toEqual(["a", "t_Ki_", "u"]);
});

test("marks of missing numbers are missing values, also after the rows that are looked at", async () => {
  const text = `a,b\n${"x,1.5\n".repeat(10_000)}x,NA\nx,none\n`;
  const [run] = await readReport(csv, bytes(text));
  expect(run!.rows.slice(-3).map((row) => row["b"])).toEqual([1.5, undefined, undefined]);
});

test("text after a closing quote belongs to the cell", async () => {
  const [run] = await readReport(csv, bytes('a,b\n"x" y,1.5\n"p,q",2.5\n'));
  expect(run!.rows.map((row) => row["a"])).toEqual(["x y", "p,q"]);
});

test("reports the line of a value that does not fit", async () => {
  const refused = async (text: string): Promise<unknown> =>
    readReport(csv, bytes(text)).catch((error: unknown) => error);
  expect(await refused('a,b\nx,1\n"y,2\n')).toMatchObject({ message: "some.file:3: a double quote is not closed" });
  expect(await refused("a,b\nx,1\ny,2,3\n")).toMatchObject({
    message: "some.file:3: the row has 3 cells, the header 2",
  });
  const late = `a,b\n${"x,1.5\n".repeat(10_000)}x,slow\n`;
  expect(await refused(late)).toMatchObject({
    code: "damaged-report",
    message: expect.stringContaining("some.file:10002: column b: 'slow'"),
  });
  expect(await refused("a,b\n")).toMatchObject({ code: "no-results" });
  const without = async (text: string): Promise<unknown> => ((await refused(text)) as { message: string }).message;
  expect(await without("a,b\nx,y\n")).toBe("some.file has no column of results: no column has only numbers");
  expect(await without("a,b\nx,1\ny,1\n")).toBe(
    "some.file has no column of results: the integers of b repeat, which makes them parameters",
  );
  expect(await without("a,b\n1,2.5\n2,3.5\na,b\n")).toBe(
    "some.file has no column of results: line 4: column a is a text: 'a' is not a number",
  );
  expect(await refused("0.5,1\n0.6,2\n")).toMatchObject({
    message: expect.stringContaining("some.file:1: the first row has numbers instead of the names of the columns"),
  });
  expect(await refused(`a,b\n"${"x\n".repeat(600_000)}`)).toMatchObject({
    message: "some.file:2: a row is longer than 1 MiByte",
  });
});

test("options select parameters and results", async () => {
  const text = "op,n,hits\nread,1,7\nread,2,7\nread,3,7\nread,4,7\n";
  const roles = async (...options: [string, string][]): Promise<unknown> => {
    const guide = { experiment: { name: "", readers: [], writers: [], variables: [] }, path: "t.csv" };
    for await (const event of csv.read(one(bytes(text)), new Map(options), guide))
      if (event.kind === "declare") return event.variables.map(({ role }) => role[0]).join("");
  };
  expect(await roles()).toBe("prp");
  expect(await roles(["parameters", "n"], ["results", "hits"])).toBe("ppr");
  await expect(roles(["parameters", "n\nm"])).rejects.toMatchObject({
    message: "option parameters of csv: 'm' is not a column of the file",
  });
  await expect(roles(["results", "op"])).rejects.toMatchObject({
    message: "option results of csv: 'op' is not a column of numbers",
  });
});

async function* one(all: Uint8Array): AsyncGenerator<Uint8Array> {
  yield all;
}

test("recognises only tables", () => {
  const sure = (text: string): number => csv.sniff(bytes(text));
  expect(sure("a,b\n1,2\n")).toBe(0.2);
  for (const text of [
    "a,b\n1,2,3\n",
    "1,2\n3,4\n",
    "a,a\n1,2\n",
    "a\n1\n",
    "a,b\nc,d\n",
    ",".repeat(65_536),
    '"'.repeat(65_536),
  ])
    expect(sure(text)).toBe(0);
});

test("cells are independent of quotes in their block and of chunk sizes", async () => {
  const blank = fc.constantFrom("", "", " ", "\t ", "\v\f");
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom(
      "1",
      "-0",
      "+5",
      "5.",
      ".5",
      "1e3",
      "1E-7",
      "12345678901234567890",
      "0.1234567890123456789",
      "nan",
      "-inf",
      "",
    ),
  );
  const padded = (cell: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(blank, cell, blank).map((parts) => parts.join(""));
  const text = padded(fc.constantFrom("", "a", "b c", "TRUE", "1x", "#"));
  const truth = padded(fc.constantFrom("true", "False", ""));
  const row = fc
    .tuple(text, padded(number), padded(number), truth, fc.integer({ min: 1, max: 5 }))
    .map(([a, b, c, d, cells]) => [a, b, c, d].slice(0, cells).join(";"));
  const end = fc.constantFrom("\n", "\r\n", "\n\n", "\n ; \n");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(row, end), { maxLength: 12 }),
      fc.integer({ min: 1, max: 300 }),
      async (lines, size) => {
        const document = `name;size [KiB];n;ok\nx;1.5;2;true\n${lines.flat().join("")}`;
        // A block with a quote is parsed as text; each of these blocks contains the last line.
        const quoted = `${document}"x";1.5;2;true\n`;
        const plain = `${document}x;1.5;2;true\n`;
        const [a, b] = await Promise.all([read(bytes(plain), size), read(bytes(quoted), bytes(quoted).length)]);
        expect(a).toEqual(b);
      },
    ),
  );
});

async function read(all: Uint8Array, size: number): Promise<unknown> {
  const guide = { experiment: { name: "", readers: [], writers: [], variables: [] }, path: "t.csv" };
  const events: unknown[] = [];
  for await (const event of csv.read(inPieces(all, size), new Map(), guide))
    events.push(event.kind === "rows" ? [event.table.variables, rowsOf(event.table)] : event);
  return events;
}

describe("times are declared as such, and stay texts for experiments that keep texts", () => {
  const types = async (...cells: string[]): Promise<(string | undefined)[]> => {
    const rows = cells.map((cell, at) => `${cell},${at}.5`).join("\n");
    const [run] = await readReport(csv, bytes(`at,t\n${rows}\n`));
    const [variable] = run!.variables;
    return [variable!.type, ...run!.rows.map(({ at }) => (at === undefined ? undefined : String(at)))];
  };

  test.each([
    ["dates", ["2026-01-31", "", "2026-02-01"], ["date", "2026-01-31", null, "2026-02-01"]],
    [
      "timestamps",
      ["2026-01-31T12:30:00Z", "2026-01-31 12:30:00.25"],
      ["timestamp", "2026-01-31T12:30:00Z", "2026-01-31 12:30:00.25"],
    ],
    [
      "other zones",
      ["2026-01-31T12:30:00+02:00", "2026-01-31T12:30:00-0100"],
      ["timestamp", "2026-01-31T12:30:00+02:00", "2026-01-31T12:30:00-0100"],
    ],
    ["both", ["2026-01-31", "2026-01-31T12:30:00Z"], ["string", "2026-01-31", "2026-01-31T12:30:00Z"]],
    ["days that do not exist", ["2026-02-30", "2026-01-01"], ["string", "2026-02-30", "2026-01-01"]],
    ["other spellings", ["31.1.2026", "1.2.2026"], ["string", "31.1.2026", "1.2.2026"]],
  ])("%s", async (_, cells, wanted) => {
    expect(await types(...cells)).toEqual(wanted.map((each) => each ?? undefined));
  });

  test("a row with another text after those that are looked at is refused with its line", async () => {
    const text = `at,t\n${"2026-01-31,1.5\n".repeat(10_000)}20260131,2\n`;
    await expect(readReport(csv, bytes(text))).rejects.toMatchObject({
      message: "some.file:10002: column at: '20260131' is not a date as in the first rows",
    });
  });
});

test("names of columns show rates, and plurals from seconds", async () => {
  const table = bytes("name,ops,error(s),time(s),misses/s\na,1.5,2.5,3.5,4.5\nb,2.5,3.5,4.5,5.5\n");
  const [run] = await readReport(csv, table);
  expect(run!.variables.map(({ name, unit, better }) => [name, formatUnit(unit), better])).toEqual([
    ["name", "", undefined],
    ["ops", "", "higher"],
    ["error_s_", "", "lower"],
    ["time", "s", "lower"],
    ["misses_s", "", "lower"],
  ]);
});

test("texts with a fraction and a unit each are numbers in the base unit", async () => {
  const [run] = await readReport(csv, bytes("u,size,t\n12.5 ms,4KiB,1\n1.5s,8KiB,2\nNA,16KiB,3\n"));
  expect(run!.rows).toEqual([
    { u: 0.0125, size: "4KiB", t: 1 },
    { u: 1.5, size: "8KiB", t: 2 },
    { size: "16KiB", t: 3 },
  ]);
  const later = `u,t\n${"1.5ms,1\n".repeat(10_000)}7,2\n`;
  await expect(readReport(csv, bytes(later))).rejects.toMatchObject({
    message: "some.file:10002: column u: '7' is not a number with a unit as in the first rows",
  });
});

test("a unit at the end of a heading in camel case is the unit of the column, but no rate", async () => {
  const [run] = await readReport(csv, bytes("minNs,min,totalTimeMs,opsSec,Time in ms\n1.5,2.5,3.5,4.5,5.5\n"));
  expect(Object.keys(run!.rows[0]!)).toEqual(["minNs", "min", "totalTime", "opsSec", "Time"]);
  expect(run!.rows[0]!["Time"]).toBe(0.0055);
  expect(run!.rows[0]!["totalTime"]).toBe(0.0035);
});

test("integers that repeat are results if their name says so", async () => {
  const [run] = await readReport(
    csv,
    bytes("threads,errors,latency,rate\n1,0,5,100\n1,0,5,100\n2,0,5,200\n2,0,5,200\n"),
  );
  expect(run!.variables.map(({ name, role }) => [name, role])).toEqual([
    ["threads", "parameter"],
    ["errors", "result"],
    ["latency", "result"],
    ["rate", "parameter"],
  ]);
});

test("a first line with numbers or missing values is no header; forced, it is reported", async () => {
  const text = bytes("copy,1.5,20\nscan,2.5,30\n");
  expect(csv.sniff(text)).toBe(0);
  expect(csv.sniff(bytes("copy,N/A\nscan,2.5\n"))).toBe(0);
  expect((await readReport(csv, text))[0]!.notices).toEqual([
    "the first line names the columns, although it has numbers: 1.5, 20",
  ]);
});
