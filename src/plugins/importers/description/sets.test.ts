import { describe, expect, test } from "vitest";
import { isFailure } from "../../../core/errors.ts";
import { rowsOf } from "../../../core/table.ts";
import { parseExperiment } from "../../../formats/experiment.ts";
import type {
  ExplicitLocation,
  InputLocation,
  NamedLocation,
  Separation,
  TableLocation,
  TableValue,
  TextMark,
} from "../../../formats/input-description.ts";
import { description } from "./description.ts";

const experiment = parseExperiment(
  `*experiment e
*parameter S int Byte
*parameter op string
*parameter note text
*parameter n int
*parameter hits int once
*parameter ok boolean once
*parameter fs string once
*parameter when timestamp once
*result T float us
*result B float
*result total float s once
`,
  "e.exp",
);

const origin = { line: 1, column: 1 };
const keyword = (text: string): TextMark => ({ kind: "keyword", text });
const pattern = (source: string): TextMark => ({ kind: "pattern", source });
const named = (name: string, more: Partial<NamedLocation> = {}): NamedLocation => ({
  kind: "named",
  name,
  aliases: [],
  patterns: [],
  origin,
  ...more,
});
const value = (name: string, number: number, more: Partial<TableValue> = {}): TableValue => ({
  name,
  position: { kind: "number", number },
  repetition: 1,
  typed: false,
  origin,
  ...more,
});
const table = (values: TableValue[], more: Partial<TableLocation> = {}): TableLocation => ({
  kind: "table",
  rows: [keyword("size")],
  start: 1,
  values,
  origin,
  ...more,
});
const separation = (more: Partial<Separation> = {}): Separation => ({
  kind: "separation",
  mark: keyword("***"),
  run: false,
  origin,
  ...more,
});
const explicit = (name: string, more: Partial<ExplicitLocation> = {}): ExplicitLocation => ({
  kind: "explicit",
  name,
  row: { kind: "number", number: 1 },
  position: { kind: "number", number: 1 },
  repetition: 1,
  typed: false,
  origin,
  ...more,
});

async function* pieces(data: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(data);
  for (let at = 0; at < bytes.length; at += 7) yield await Promise.resolve(bytes.slice(at, at + 7));
}

interface Run {
  readonly once: Record<string, unknown>;
  readonly rows: unknown[][];
}

async function read(locations: readonly InputLocation[], data: string, path?: string): Promise<{ runs: Run[]; notices: string[] }> {
  const guide = { experiment, description: { file: "in", rules: "sets" as const, locations }, ...(path === undefined ? {} : { path }) };
  const [runs, notices]: [Run[], string[]] = [[], []];
  let run: Run = { once: {}, rows: [] };
  for await (const event of description.read(pieces(data), new Map(), guide)) {
    if (event.kind === "notice") notices.push(`${event.line}: ${event.text}`);
    if (event.kind === "once") run = { ...run, once: { ...run.once, ...Object.fromEntries(event.values) } };
    if (event.kind === "rows") run.rows.push(...rowsOf(event.table));
    if (event.kind !== "end") continue;
    runs.push(run);
    run = { once: {}, rows: [] };
  }
  return { runs, notices };
}

const rows = async (locations: readonly InputLocation[], data: string): Promise<unknown[][]> =>
  (await read(locations, data)).runs.flatMap((run) => run.rows);
const once = async (locations: readonly InputLocation[], data: string, path?: string): Promise<unknown> =>
  (await read(locations, data, path)).runs[0]?.once;
const failure = async (locations: readonly InputLocation[], data = "x"): Promise<string> => {
  try {
    await read(locations, data);
  } catch (error) {
    if (isFailure(error)) return error.message;
    throw error;
  }
  return "no failure";
};

describe("named", () => {
  test.each([
    ["a match stands anywhere, also within a word", named("T", { matches: [{ text: "ime=" }] }), "T=1 time=5", 5],
    ["a terminator ends the content", named("T", { matches: [{ text: "[", terminator: "|" }] }), "[5|6]", 5],
    ["the content leads", named("T", { matches: [{ text: "usec" }], leads: true }), "1 took 7.5 usec", 7.5],
    ["what leads has its unit", named("T", { matches: [{ text: "each" }], leads: true, unit: "text" }), "1 s, 5 ms each", 5000],
    ["a pattern that leads", named("T", { patterns: ["us(ec)?$"], leads: true }), "1 took 7.5 us", undefined],
    ["scale", named("T", { scale: 0.5 }), "T=5", 2.5],
    ["scale and unit", named("T", { scale: 2, unit: "text" }), "T=5 ms", 10_000],
    ["filter", named("T", { filters: [{ source: ",", ignoreCase: false }] }), "T=1,234.5 us", 1234.5],
    ["map", named("T", { maps: [{ from: keyword("fast"), to: "1" }] }), "T=fast", 1],
    ["length of a number", named("T", { length: 2 }), "T=1234", 12],
    ["trigger: the whole line", named("T", { triggers: [{ mark: keyword("time:"), skip: 1 }] }), "4\ntime:\n5\n6", 5],
    ["trigger: the line itself", named("T", { triggers: [{ mark: pattern("^[0-9]+ us"), skip: 0 }] }), "T=4\n5 us\n6", 5],
    [
      "trigger: what is looked for in the line",
      named("T", { triggers: [{ mark: keyword("time"), skip: 2 }], matches: [{ text: "=" }] }),
      "a=1\ntime\nb=2\nc=3\nd=4",
      3,
    ],
  ] as const)("%s", async (_, location, data, content) => {
    const found = await read([location], data).catch(() => undefined);
    expect(found?.runs[0]?.rows[0]?.[0]).toEqual(content);
  });

  test("texts that lead, that are filtered and mapped", async () => {
    const data = "my own host: name is\n";
    const at = (more: Partial<NamedLocation>): Promise<unknown> => once([named("fs", { matches: [{ text: ":" }], ...more })], data);
    expect(await at({ leads: true })).toEqual({ fs: "host" });
    expect(await at({ leads: true, length: 0 })).toEqual({ fs: "my own host" });
    expect(await at({ leads: true, length: 8 })).toEqual({ fs: "own host" });
    expect(await at({ matches: [{ text: ":", terminator: "y" }], leads: true })).toEqual({ fs: "own host" });
    expect(await at({ maps: [{ from: keyword("name"), to: "two words" }] })).toEqual({ fs: "two words" });
    expect(await at({ length: 0, filters: [{ source: " ", ignoreCase: false }] })).toEqual({ fs: "nameis" });
  });

  test("dates that lead", async () => {
    expect(await once([named("when", { matches: [{ text: "begin" }], leads: true })], "at 2020-01-02 03:04:05 begin")).toEqual({
      when: Date.parse("2020-01-02T03:04:05Z") * 1000,
    });
  });

  test("so many lines; up to the next empty line; up to the end", async () => {
    const data = "T=1\nnote: a\nb \n c\n\nd\n";
    const note = async (lines: number, text = data): Promise<unknown> => (await rows([named("T"), named("note", { lines })], text))[0]?.[0];
    expect(await note(1)).toBe("a");
    expect(await note(2)).toBe("a\nb");
    expect(await note(0)).toBe("a\nb \n c");
    expect(await note(9)).toBe("a\nb \n c\n\nd");
    expect(await note(0, "T=1\nnote: a\nb")).toBe("a\nb");
  });

  test("a block of text", async () => {
    const block = {
      begin: [{ mark: keyword("<<"), skip: 0 }],
      end: [
        { mark: pattern("^>>"), skip: 0 },
        { mark: keyword("!"), skip: 0 },
      ],
    };
    const note = async (data: string, more: Partial<NamedLocation> = {}): Promise<unknown> =>
      (await rows([named("T"), named("note", { block, ...more })], `T=1\n${data}`))[0]?.[0];
    expect(await note("x << a\nT=2\n b >>\n>> d")).toBe("a\nT=2\n b >>");
    expect(await note("<< one line ! more")).toBe("one line");
    const skipping = { ...block, begin: [{ mark: keyword("<<"), skip: 2 }] };
    expect(await note("<< a\nb\nc\nd\n>>", { block: skipping })).toBe("c\nd");
    const { notices, runs } = await read([named("T"), named("note", { block })], "T=1\n<< a\nb\n");
    expect([runs[0]?.rows, notices]).toEqual([[[null, 1]], ["3: the block of 'note' has no end before this line"]]);
  });

  test("a text of more than a megabyte is none", async () => {
    const { notices } = await read([named("T"), named("note", { lines: 0 })], `T=1\nnote\n${`${"x".repeat(5000)}\n`.repeat(300)}\n`);
    expect(notices).toEqual(["303: 'note' would be longer than 1048576 characters here"]);
  });

  test("modes", async () => {
    const count = named("hits", { mode: "count", matches: [{ text: "err" }] });
    const seen = named("ok", { mode: "boolean", patterns: ["^done"] });
    const sum = named("total", { mode: "accumulate", matches: [{ text: "t=" }] });
    const data = "t=1 err err\nerr t=2.5\nt=x\n";
    expect(await once([count, seen, sum], `${data}done\n`)).toEqual({ hits: 3, ok: true, total: 3.5 });
    expect(await once([count, seen, sum], "t=1")).toEqual({ hits: 0, ok: false, total: 1 });
    expect(await failure([named("op", { mode: "abort", patterns: ["(?i)fatal"] }), named("T")], "T=1\nx FATAL")).toContain(
      "line 2: the description gives up here, at 'op'",
    );
    expect(
      await rows([named("T"), named("n", { mode: "count", matches: [{ text: "!" }] }), separation()], "T=1 !!\n*** T=2\n*** T=3 !"),
    ).toEqual([
      [2, 1],
      [0, 2],
      [1, 3],
    ]);
  });

  test("several locations of one variable: the first content counts", async () => {
    const latency = [
      named("T", { patterns: ["lat \\(ns\\): ([0-9]+)"], scale: 0.001 }),
      named("T", { patterns: ["lat \\(ms\\): ([0-9]+)"], scale: 1000 }),
    ];
    expect(await rows(latency, "lat (ms): 5")).toEqual([[5000]]);
    expect(await rows([...latency, separation()], "lat (ns): 5\n*** lat (ms): 6\n")).toEqual([[0.005], [6000]]);
    expect(await failure([named("hits", { mode: "count" }), named("hits")])).toContain("has a location already");
  });

  test("a pattern whose content is of a wrong type is told", async () => {
    const { notices } = await read([named("n", { patterns: ["n is (\\w+)"] }), named("T")], "n is many\nT=1\n");
    expect(notices).toEqual(["1: 'n is (\\w+)' matches here but gives no integer"]);
  });
});

describe("tables", () => {
  const sT = [value("S", 1), value("T", 2)];
  test("several rows, so many columns, so many rows, the row itself", async () => {
    const data = "size\n1 2\n3 4\nlength\n5 6\n7\nsize\n8 9 10\n";
    expect(await rows([table(sT, { rows: [keyword("size"), keyword("length")], columns: 2 })], data)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(await rows([table(sT, { most: 1 })], data)).toEqual([
      [1, 2],
      [8, 9],
    ]);
    expect(await rows([table([value("S", 2), value("T", 3)], { start: 0, rows: [pattern("^row")] })], "row 1 2\nrow 3 4\nx")).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(
      await rows(
        [
          table(sT, {
            rows: [
              { kind: "number", number: 1 },
              { kind: "number", number: 4 },
            ],
          }),
        ],
        "a\n1 2\nx\nb\n3 4\n",
      ),
    ).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test("positions that count from the column before", async () => {
    const relative = (offset: number): Partial<TableValue> => ({ position: { kind: "relative", offset } });
    expect(await rows([table([value("T", 3), value("S", 0, relative(-2)), value("B", 0, relative(1))])], "size\n1 2 3\n")).toEqual([
      [1, 3, 2],
    ]);
    expect(await failure([table([value("T", 1), value("S", 0, relative(-1))])])).toContain("the table has no entry 0");
    expect(await failure([table([value("T", 1, { typed: true }), value("S", 0, relative(1))])])).toContain("number is not known");
  });

  test("CSV: headings, empty entries, quotes", async () => {
    const csv = table(
      [
        value("op", 0, { position: { kind: "keyword", text: "name" } }),
        value("T", 0, { position: { kind: "keyword", text: "time" } }),
        value("S", 0, { position: { kind: "keyword", text: "size" } }),
      ],
      { rows: [keyword("name,")], separator: "," },
    );
    const data = 'file name,name,real_time,"time",size\nf,"a,b ""c""",1,2.5,\n f , plain , 3 ,,4\r\n"x,y,1,1,1\nend\n';
    expect(await rows([csv], data)).toEqual([
      [null, 'a,b "c"', 2.5],
      [4, "plain", null],
      [1, "y", 1],
    ]);
  });

  test("separators of several characters, tabs, filter, map, scale in columns", async () => {
    expect(await rows([table(sT, { separator: "||" })], "size\n1||2\n3|| 4 \n||5\n")).toEqual([
      [1, 2],
      [3, 4],
      [null, 5],
    ]);
    expect(await rows([table([value("S", 1), value("op", 2)], { separator: "\t" })], "size\n1\ta b\n2\t\n")).toEqual([
      [1, "a b"],
      [2, null],
    ]);
    const shaped = table([
      value("S", 1, { filters: [{ source: ",", ignoreCase: false }] }),
      value("op", 2, { maps: [{ from: pattern("^r"), to: "read" }] }),
      value("T", 3, { scale: 1000 }),
    ]);
    expect(await rows([shaped], "size\n1,024 r1 2\n2,048 w1 3\n")).toEqual([
      [1024, "read", 2000],
      [2048, "w1", 3000],
    ]);
  });

  test("the row of a table, and a content, may begin a run", async () => {
    expect((await read([table(sT, { separates: true }), named("fs")], "size\n1 2\nfs=a\nsize\n3 4\nfs=b\n")).runs).toEqual([
      { once: { fs: "a" }, rows: [[1, 2]] },
      { once: { fs: "b" }, rows: [[3, 4]] },
    ]);
    expect((await read([named("fs", { separates: true }), named("T")], "fs=a\nT=1\nfs=b\nT=2\n")).runs).toEqual([
      { once: { fs: "a" }, rows: [[1]] },
      { once: { fs: "b" }, rows: [[2]] },
    ]);
  });
});

test("a separation may take effect some lines behind its mark", async () => {
  expect(await rows([separation({ skip: 2 }), named("T"), named("n")], "T=1\n***\nn=1\nT=2\n")).toEqual([
    [1, 1],
    [1, 2],
  ]);
});

test("names of files", async () => {
  const marks = (name: string, text: string): InputLocation => ({ kind: "filename", name, matches: [{ text }], patterns: [], origin });
  const locations = [marks("hits", "_n"), { ...marks("fs", "fs-"), length: 3 } as InputLocation, named("T")];
  expect(await once(locations, "T=1", "out_n16_fs-nfs.dat")).toEqual({ hits: 16, fs: "nfs" });
  expect(await once(locations, "T=1", "out.dat")).toEqual({});
  expect((await read([marks("hits", "_n"), named("T")], "T=1", "out_nx")).notices).toEqual([
    "1: 'x' in the name of the input is no integer for 'hits'",
  ]);
  expect(await once([{ ...marks("ok", "n16"), mode: "boolean" } as InputLocation, named("T")], "T=1", "out_n16")).toEqual({ ok: true });
});

describe("derived", () => {
  const ratio = (name: string, left: string, right: string): InputLocation => ({
    kind: "derived",
    name,
    from: { term: { kind: "fraction", left: { kind: "variable", name: left }, right: { kind: "variable", name: right } } },
    origin,
  });
  test("for every row, from columns and single contents; missing where an operand is", async () => {
    const locations = [table([value("S", 1), value("T", 2)], { separator: "," }), named("n"), ratio("B", "S", "N")];
    expect(await rows(locations, "size\n1,2\n3,4\n,5\nn=2\n")).toEqual([
      [1, 2, 2, 0.5],
      [3, 2, 4, 1.5],
      [null, 2, 5, null],
    ]);
  });
  test("a set of single contents, and a run", async () => {
    expect(await rows([named("S"), named("n"), ratio("B", "S", "n"), separation()], "S=7 n=2\n*** n=0\n*** S=9\n")).toEqual([[7, 2, 3.5]]);
    expect(await once([named("hits"), ratio("total", "hits", "hits")], "hits=3")).toEqual({ hits: 3, total: 1 });
    expect(await rows([named("S"), ratio("B", "S", "S"), ratio("T", "B", "S")], "S=2")).toEqual([[2, 0.5, 1]]);
  });
  test("by a map of one content", async () => {
    const maps = [
      { from: keyword("4"), to: "four" },
      { from: pattern("."), to: "many" },
    ];
    const location: InputLocation = { kind: "derived", name: "op", from: { parameter: "n", maps }, origin };
    expect(await rows([table([value("n", 1), value("T", 2)]), location], "size\n4 1\n5 1\n")).toEqual([
      ["four", 4, 1],
      ["many", 5, 1],
    ]);
  });
  test("an integer has to be whole, operands have to come first", async () => {
    expect(await failure([named("S"), named("T"), ratio("n", "T", "S")], "S=2 T=7")).toContain("'3.5' is no content for 'n' (integer)");
    expect(await failure([named("S"), ratio("B", "S", "T")])).toContain("nothing before this line gives 'T', which 'B' is derived from");
    expect(await failure([named("S"), ratio("B", "T", "S"), ratio("T", "B", "S")])).toContain("nothing before this line gives 'T'");
    expect(await failure([named("S"), ratio("total", "S", "S")])).toContain("'total' is once per run, but 'S'");
  });
});

test.each([
  ["storing a data set with a content", named("T", { storesSet: true })],
  ["an update", named("T", { update: "yes" })],
  ["a content for one data set", named("T", { sticky: false })],
  ["retrigger", named("T", { retrigger: false })],
  ["a trigger behind its line", named("T", { triggers: [{ mark: keyword("x"), skip: -1 }] })],
  [
    "lines left out at the end of a block",
    named("note", { block: { begin: [{ mark: keyword("x"), skip: 0 }], end: [{ mark: keyword("x"), skip: 1 }] } }),
  ],
  ["storing a data set with a content", explicit("T", { storesSet: true })],
  ["a relative position outside of a table", explicit("T", { position: { kind: "relative", offset: 1 } })],
  ["an update", table([value("T", 1, { update: "auto" })])],
  ["retrigger", separation({ mark: named("S", { retrigger: true }) })],
  ["a split location", { kind: "split", name: "T", enter: [], leave: [], stores: [], origin }],
  ["retrigger", { kind: "derived", name: "T", from: { parameter: "n", maps: [] }, retrigger: true, origin }],
] satisfies [string, InputLocation][])("%s is refused with a way out", async (word, location) => {
  expect(await failure([location])).toBe(`in:1:1: ${word} means nothing under the rules 'sets'`);
});

test.each([
  ["'op' is of type string, only numbers can count", named("op", { mode: "count" })],
  ["'T' is of type float, mode boolean needs a boolean", named("T", { mode: "boolean" })],
  ["'T' is of type float, contents of several lines are texts", named("T", { lines: 2 })],
  ["has no mark behind it", named("note", { lines: 2, leads: true })],
  ["blanks and a separator exclude each other", table([value("T", 1)], { blanks: ",", separator: "," })],
  ["typed entries cannot be counted between separators", table([value("T", 1, { typed: true })], { separator: "," })],
  ["the table has no entry 3", table([value("T", 3)], { columns: 2 })],
  ["lines can only be left out behind a row", table([value("T", 3)], { rows: [], start: 3 })],
])("%s", async (problem, location) => {
  expect(await failure([location])).toContain(problem);
});
