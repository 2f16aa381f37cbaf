import { describe, expect, test } from "vitest";
import { isFailure } from "../../../../core/errors.ts";
import type { Experiment } from "../../../../core/experiment.ts";
import { rowsOf } from "../../../../core/table.ts";
import type { Value, Values } from "../../../../core/value.ts";
import type { Variable } from "../../../../core/variable.ts";
import { parseInputXml } from "../../../../formats/input-xml.ts";
import type { ImportGuide } from "../../importer.ts";
import { description } from "../description.ts";

const once = (name: string, type: Variable["type"], more: Partial<Variable> = {}): Variable => ({
  name,
  role: "parameter",
  occurrence: "once",
  type,
  ...more,
});
const multiple = (name: string, type: Variable["type"], more: Partial<Variable> = {}): Variable => ({
  ...once(name, type, more),
  occurrence: "multiple",
});

const experiment: Experiment = {
  name: "e",
  readers: [],
  writers: [],
  variables: [
    once("host", "string", { longest: 20 }),
    once("fs", "string", { valid: ["ufs", "nfs"] }),
    once("n", "integer", { size: 4 }),
    once("hits", "integer"),
    once("load", "float"),
    once("ok", "boolean"),
    once("note", "text"),
    once("day", "date"),
    once("release", "version"),
    multiple("size", "integer", { size: 4 }),
    multiple("op", "string"),
    multiple("seen", "boolean"),
    multiple("t", "float"),
    multiple("u", "float", { default: -1 }),
  ],
};

interface Read {
  once: Record<string, Value>[];
  rows: Record<string, unknown>[];
  runs: number;
  notices: string[];
  updates: unknown[];
}

/** One piece for each text. */
async function* bytesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
}

const locations = (xml: string): NonNullable<ImportGuide["description"]> => parseInputXml(`<input>${xml}</input>`, "in.xml");

async function read(xml: string, text: string | string[], more: Partial<ImportGuide> = {}): Promise<Read> {
  const result: Read = { once: [], rows: [], runs: 0, notices: [], updates: [] };
  for await (const event of description.read(bytesOf(...[text].flat()), new Map(), { experiment, description: locations(xml), ...more })) {
    if (event.kind === "once") result.once.push(Object.fromEntries(event.values));
    if (event.kind === "end") result.runs += 1;
    if (event.kind === "notice") result.notices.push(`${event.line}: ${event.text}`);
    if (event.kind !== "rows") continue;
    if (event.update) result.updates.push(event.update);
    const names = event.table.variables.map(({ name }) => name);
    for (const row of rowsOf(event.table)) result.rows.push(Object.fromEntries(names.map((name, at) => [name, row[at]])));
  }
  return result;
}

async function failure(xml: string, text: string, more: Partial<ImportGuide> = {}): Promise<string> {
  try {
    await read(xml, text, more);
  } catch (error) {
    if (isFailure(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return "no failure";
}

const contents = async (xml: string, text: string): Promise<Record<string, Value> | undefined> => (await read(xml, text)).once[0];
const rows = async (xml: string, text: string): Promise<unknown[][]> => (await read(xml, text)).rows.map((row) => Object.values(row));

const named = (name: string, marks: string, attributes = ""): string =>
  `<named_location ${attributes}><name>${name}</name>${marks}</named_location>`;
const column = (name: string, more = "", attributes = ""): string =>
  `<tabular_value ${attributes}><name>${name}</name>${more}</tabular_value>`;
const table = (inner: string, attributes = ""): string => `<tabular_location ${attributes}>${inner}</tabular_location>`;
const sizes = table(`<match># size</match><skip>1</skip>${column("size")}${column("t")}`);

describe("named", () => {
  test.each([
    ["host", "<match>host:</match>", "", "on host: a1 b2", "a1"],
    ["host", "<match>host</match>", 'content="leads"', "x a1 host b2", "a1"],
    ["host", "<match>host:</match>", 'len="0"', "host:  a b c ", "a b c"],
    ["host", "<match>host:</match>", 'len="4"', "host: a bcd", "a bc"],
    ["host", '<match terminator="(">call</match>', "", "call f g(3)", "f g"],
    ["host", "<match>host:</match><ws>;</ws>", "", "host: a;b", "a"],
    ["host", "<match>host:</match><ws>;</ws>", "", "host: a;b c", "a;b"],
    ["host", "<regexp>^h[a-z]+ </regexp>", "", "host a1 b", "a1"],
    ["host", "<regexp>on ([a-z]+) at</regexp>", "", "run on ab at c", "ab"],
    ["host", "<regexp>;</regexp>", 'len="0"', "a;b;c;d", "abc"],
    ["host", "<match>host:</match><filter>[.].*</filter>", "", "host: a1.example.org", "a1"],
    ["host", "<alias>host</alias>", "", "localhost a host b", "b"],
    ["n", "<match>n=</match>", "", "n= about 12", undefined],
    ["n", "<match>n=</match>", "", "n=(12,", 12],
    ["n", "<match>n=</match>", 'scale="1000"', "n= 1.5 kB", 1500],
    ["load", "<match>load</match>", "", "load 0,75", 0.75],
    ["load", "<match>load</match>", 'len="0"', "load is 3.25s", 3.25],
    ["ok", "<match>ok:</match><map><content_in>on</content_in><content_out>t</content_out></map>", "", "ok: on", true],
    ["release", "<match>Version:</match>", 'len="0"', "Version: 1.0.3 a", "1.0.3-a"],
    ["day", "<match>began:</match>", 'len="0"', "began: Tue Nov 23 18:30:30 2004", 12_745],
    ["fs", "", "", "on nfs it is", "nfs"],
    ["fs", "<map><content_in>network</content_in><content_out>nfs</content_out></map>", "", "a network", "nfs"],
  ])("%s %s %s: %s", async (name, marks, attributes, line, content) => {
    expect((await contents(named(name, marks, attributes), `first\n${line}\n`))?.[name]).toEqual(content);
  });

  test("the first content counts where there is one a run, unless it may come again", async () => {
    expect(await contents(named("n", "<match>n=</match>"), "n=x\nn=1\nn=2\n")).toEqual({ n: 1 });
    expect(await contents(named("n", "<match>n=</match>", 'retrigger="yes"'), "n=1\nn=2\n")).toEqual({ n: 2 });
  });

  test.each([
    [1, "mark\na 5\nb 6\n", 5],
    [2, "mark\na 5\nb 6\n", 6],
    [-1, "z 4\nmark\na 5\n", 4],
    [0, "z 4\nb 6 mark\na 5\n", 6],
  ])("a trigger %i lines away", async (skip, text, n) => {
    const marks = `<trigger><match>mark</match><skip>${skip}</skip></trigger><regexp>[a-z] </regexp>`;
    expect((await contents(named("load", marks), text))?.["load"]).toBe(n);
  });

  test("a trigger behind its line, which came in an earlier piece", async () => {
    const xml = named("n", "<trigger><match>mark</match><skip>-3</skip></trigger><match>n</match>");
    expect((await read(xml, ["x\n".repeat(40_000), "n 1\nn 2\n", "n 3\n", "n 4\r\nmark\n"])).once).toEqual([{ n: 2 }]);
  });

  test("lines and blocks of text", async () => {
    const trigger = "<trigger><match>result</match><skip>1</skip></trigger>";
    expect(await contents(named("note", trigger, 'lines="2"'), "result\na\nb\nc\n")).toEqual({ note: "a\nb\n" });
    expect(await contents(named("note", trigger, 'lines="0"'), "result\na\nb\n\nc\n")).toEqual({ note: "a\nb\n" });
    expect(await contents(named("note", trigger, 'lines="0"'), "result\na\nb")).toEqual({ note: "a\nb\n" });
    const block = (skip: string): string => named("note", `<match marker="begin"${skip}>BEGIN</match><match marker="end">END</match>`);
    expect(await contents(block(""), "BEGIN a\nb\nc END\n")).toEqual({ note: " a\nb\nc " });
    expect(await contents(block(""), "BEGIN\nb\nEND\n")).toEqual({ note: "b\n" });
    expect(await contents(block(' skip="2"'), "BEGIN a\nb\nc\nEND\n")).toEqual({ note: "c\n" });
    expect(await contents(block(""), "BEGIN a\nb\n")).toBeUndefined();
  });

  test("a text of many lines is cut at 1 MiB, and that is told", async () => {
    const xml = named("note", '<match marker="begin">BEGIN</match><match marker="end">END</match>');
    const { once: found, notices } = await read(xml, `BEGIN\n${"0123456789abcde\n".repeat(70_000)}END\n`);
    expect(String(found[0]?.["note"])).toHaveLength(1 << 20);
    expect(notices.join()).toContain("longer than 1 MiB");
  });

  test("modes", async () => {
    expect(await contents(named("hits", "<match>ga</match>", 'mode="count"'), "ga gaga\nx\nga\n")).toEqual({ hits: 4 });
    expect(await contents(named("hits", "<regexp>g[ao]</regexp>", 'mode="count"'), "ga goga\n")).toEqual({ hits: 3 });
    expect(await contents(named("hits", "<match>ga</match>", 'mode="count"'), "x\n")).toEqual({ hits: 0 });
    expect(await contents(named("ok", "<match>fine</match>", 'mode="boolean"'), "all fine\n")).toEqual({ ok: true });
    expect(await contents(named("ok", "<match>fine</match>", 'mode="boolean"'), "x\n")).toEqual({ ok: false });
    expect(await contents(named("load", "<match>t=</match>", 'mode="accumulate"'), "t=1.5\nt=2\n")).toEqual({ load: 3.5 });
    expect(await failure(named("ok", "<match>died</match>", 'mode="abort"'), "x\nit died\n")).toMatch(/^import-aborted line 2/);
  });
});

describe("data sets", () => {
  const size = named("size", "<match>size=</match>");
  const time = named("t", "<match>t=</match>", 'store_set="yes"');

  test("contents hold for the sets that follow, and are stored where the description says", async () => {
    expect(await rows(time + size, "size=1\nt=1\nt=2\nsize=2 t=3\n")).toEqual([
      [1, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  test("sticky=no: for one set only", async () => {
    const op = named("op", "<match>op=</match>", 'sticky="no"');
    expect(await rows(op + sizes, "# size\n op=a 1\n1 2\n\nop=b\n# size\n3 4\n5 6\n")).toEqual([
      [1, "a", 2],
      [3, "b", 4],
      [5, null, 6],
    ]);
  });

  test("what is never stored is told", async () => {
    const { rows: stored, runs, notices } = await read(size, "size=1\n");
    expect([stored.length, runs]).toEqual([0, 1]);
    expect(notices.join()).toContain("store_set");
  });

  test("a boolean of many sets", async () => {
    expect(await rows(named("seen", "<match>warm</match>", 'mode="boolean"') + time, "t=1\nwarm\nt=2\n")).toEqual([
      [false, 1],
      [true, 2],
    ]);
  });

  test("is_separator begins a run with its content; a separation ends one", async () => {
    const host = named("host", "<match>host=</match>", 'is_separator="yes"');
    const { once: found, runs } = await read(host + time + size, "host=a size=1\nt=1\nhost=b\nt=2\n");
    expect([runs, found]).toEqual([2, [{ host: "a" }, { host: "b" }]]);
    const separated = await read(
      `<set_separation><match>---</match></set_separation>${named("n", "<match>n=</match>")}`,
      "---\nn=1\n---\nn=2\n---\n",
    );
    expect(separated.once).toEqual([{ n: 1 }, { n: 2 }]);
  });
});

describe("tables", () => {
  test("a row of text is passed over, another number of entries ends", async () => {
    const { rows: found, notices } = await read(sizes, "# size t\n1 2\nEOF no\n3 4\nend of table\n5 6\n");
    expect(found).toEqual([
      { size: 1, t: 2 },
      { size: 3, t: 4 },
    ]);
    expect(notices).toHaveLength(1);
  });

  test("a default stands for text", async () => {
    expect(await rows(table(column("size") + column("u")), "1 n/a\n2 3\n")).toEqual([
      [1, -1],
      [2, 3],
    ]);
  });

  test.each([
    ["rows", table(`<match>#</match><skip>1</skip>${column("size")}`, 'rows="2"'), "#\n1\n2\n3\n", [[1], [2]]],
    ["columns", table(column("size"), 'columns="2"'), "1\n2 3\n4 5 6\n7 8\n", [[2], [7]]],
    ["the row itself", table(`<match>at</match>${column("size", "<pos>1</pos>")}`, 'rows="1"'), "at 5\nat 6\n", [[5], [6]]],
    ["places", table(column("t", "<pos>2</pos>") + column("size", "<pos>0</pos>") + column("u")), "1 2 3\n", [[1, 3, 2]]],
    [
      "a keyword in the row",
      table(column("size") + column("t", "<match>t=</match>")),
      "1 x t= 3\n2 y t= 4\n",
      [
        [1, 3],
        [2, 4],
      ],
    ],
    [
      "a separator",
      table(`<ws>;</ws>${column("size")}${column("op")}${column("t")}`),
      "1; a b;2\n3;;4\n",
      [
        [1, "a b", 2],
        [3, null, 4],
      ],
    ],
    ["numbers with signs around", table(column("size") + column("t")), "(1, 2.5)\n", [[1, 2.5]]],
    [
      "starting anew",
      sizes,
      "# size t\n1 2\n# size t\n3 4\n",
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ])("%s", async (_, xml, text, expected) => {
    expect(await rows(xml, text)).toEqual(expected);
  });

  test("a once content is that of the run", async () => {
    expect((await read(table(column("host") + column("n")), "a 3\n")).once).toEqual([{ host: "a", n: 3 }]);
  });

  test("many rows with changing contents beside them", async () => {
    const text = Array.from({ length: 70_000 }, (_, at) => (at % 1000 === 0 ? `\nop=${at}\n# size t\n` : `${at} 1\n`)).join("");
    const found = (await read(named("op", "<match>op=</match>") + sizes, text)).rows;
    expect(found).toHaveLength(69_930);
    expect(found.every(({ op, size }) => Number(op) === Number(size) - (Number(size) % 1000))).toBe(true);
  });

  test("what does not fit is a failure that names the line", async () => {
    expect(await failure(sizes, "# size t\n1 2\n3000000000 2\n")).toMatch(/bad-content.*'size'.*line 3/);
    expect(await failure(sizes, "# size t\n1.5 2\n")).toMatch(/bad-content.*'size'.*line 2/);
    expect(await failure(named("host", "<match>h=</match>"), `h=${"x".repeat(21)}\n`)).toMatch(/bad-content.*21 characters.*line 1/);
  });

  test("update: rows that change others come apart, with their keys", async () => {
    const second = table(`<match># late</match><skip>1</skip>${column("size", "", 'update="auto"')}${column("u")}`);
    const { rows: found, updates } = await read(sizes + second, "# size\n1 2\n\n# late\n1 7\n2 8\n");
    expect(found).toEqual([
      { size: 1, t: 2, u: null },
      { size: 1, u: 7 },
      { size: 2, u: 8 },
    ]);
    expect(updates).toEqual([{ keys: ["size"], add: true }]);
  });
});

describe("other locations", () => {
  const term = "<term><product><factor><parameter>size</parameter></factor><factor><parameter>n</parameter></factor></product></term>";

  test("derived: for every set, from contents of the set and of the run", async () => {
    const xml = `${named("n", "<match>n=</match>")}${sizes}<derived_parameter><name>u</name>${term}</derived_parameter>`;
    expect(await rows(xml, "n=3\n# size\n1 0\n2 0\n")).toEqual([
      [1, 0, 3],
      [2, 0, 6],
    ]);
  });

  test("derived: once, by a map", async () => {
    const map = '<map value="host"><mapping><content_in>a</content_in><content_out>nfs</content_out></mapping></map>';
    const xml = `${named("host", "<match>host=</match>")}<derived_parameter><name>fs</name>${map}</derived_parameter>`;
    expect(await contents(xml, "host=a\n")).toEqual({ host: "a", fs: "nfs" });
  });

  const split = `<split_location><name>s</name>
    <enter>${named("op", "<match>enter</match>", 'store_set="yes"')}${named("t", "<match>at</match>", 'store_set="yes"')}</enter>
    <leave>${named("op", "<match>leave</match>", 'store_set="yes"')}${named("t", "<match>at</match>", 'store_set="yes"')}</leave>
    <store><name>op</name><name store="diff">t</name></store></split_location>`.replaceAll(
    "<match>at</match>",
    "<regexp>SIDE .* at </regexp>",
  );
  const calls = split.replace("SIDE", "enter").replace("SIDE", "leave");

  test("split: nested blocks", async () => {
    expect(await rows(calls, "enter f at 1\nenter g at 2\nleave g at 4\nleave f at 8\n")).toEqual([
      ["g", 2],
      ["f", 7],
    ]);
  });

  test("what was found before a failure is handed on", async () => {
    const seen: string[] = [];
    const reading = async (): Promise<void> => {
      const source = bytesOf("# size\n1 2\n2.5 2\n");
      for await (const event of description.read(source, new Map(), { experiment, description: locations(sizes) })) seen.push(event.kind);
    };
    await expect(reading()).rejects.toThrow("2.5");
    expect(seen).toEqual(["rows"]);
  });

  test("split: blocks that do not match", async () => {
    expect(await failure(calls, "enter f at 1\nleave f at 2\nleave g at 3\n")).toMatch(/^split-mismatch line 3/);
    expect(await failure(calls, "enter f at 1\nleave f at ()\n")).toMatch(/^split-mismatch line 2.*'t'/);
    expect((await read(calls, "enter f at 1\nleave f at 2\nenter g at 3\n")).notices.join()).toContain("never ends");
  });

  test("single contents are preferred to columns, columns to fixed ones", async () => {
    const fixed =
      "<fixed_value><name>op</name><content>f</content></fixed_value><fixed_value><name>size</name><content>7</content></fixed_value>";
    expect(await rows(named("t", "<match>t=</match>") + sizes + fixed, "# size\n1 2\n\nt=5\n# size\n3 4\n")).toEqual([
      [1, "f", 2],
      [3, "f", 5],
    ]);
  });

  test("fixed and filename, also where nothing is found", async () => {
    const xml = `<fixed_value><name>n</name><content>4</content></fixed_value><filename_location><name>host</name><match>_h</match></filename_location>`;
    expect(await read(xml, "", { path: "data_h1.txt" })).toMatchObject({ runs: 1, once: [{ n: 4 }] });
  });

  test("what the user fixes is looked for nowhere else", async () => {
    const fixed: Values = new Map<string, Value>([
      ["N", 9],
      ["t", 1],
    ]);
    const { once: found, rows: stored } = await read(named("n", "<match>n=</match>") + sizes, "n=1\n# size\n5 6\n", { fixed });
    expect([found.at(-1), stored]).toEqual([{ n: 9 }, [{ size: 5, t: 1 }]]);
  });

  test("what is known before the first line is said before the data sets of each run", async () => {
    const xml = `<filename_location><name>host</name><match>_h</match></filename_location><set_separation><match>--</match></set_separation>`;
    const { once: found } = await read(named("n", "<match>n=</match>") + xml + sizes, "# size\n1 2\nn=1\n--\n# size\n3 4\n", {
      path: "data_h1.txt",
    });
    const known = { host: found[0]?.["host"] };
    expect(known.host).toBeDefined();
    expect(found).toEqual([known, { ...known, n: 1 }, known, known]);
  });

  test("explicit", async () => {
    const xml = `<explicit_location><name>n</name><row>2</row><pos>2</pos></explicit_location>`;
    expect(await failure(xml, "a\nb 7\n")).toBe("no failure");
    expect((await contents(xml, "a 1\nb 7\n"))?.["n"]).toBe(7);
  });

  test("nothing found: a run of defaults if there is any content of a run, else a failure", async () => {
    expect(await read(named("n", "<match>n=</match>"), "x\n")).toMatchObject({ runs: 1, once: [] });
    expect(await failure(sizes, "x\n")).toMatch(/^nothing-found/);
  });

  test("names that the experiment does not have", async () => {
    expect(await failure(named("hosts", "<match>n=</match>"), "")).toMatch(/description-error in.xml:1:\d+.*did you mean host/);
    expect(await failure(named("n", ""), "")).toMatch(/description-error.*neither/);
    expect(await failure(named("n", "<match>x</match>", 'lines="2"'), "")).toMatch(/description-error/);
  });
});

describe("several inputs of one run", () => {
  const op = named("op", "<match>op=</match>");
  const second = (xml: string, text: string): NonNullable<ImportGuide["beside"]>[number] => ({
    source: bytesOf(text),
    description: locations(xml),
    path: "b",
  });

  test("contents of one hold for the data sets of the other", async () => {
    const {
      rows: found,
      runs,
      once: values,
    } = await read(named("n", "<match>n=</match>") + op, "n=1\nop=x\n", {
      beside: [second(sizes, "# size\n1 2\n3 4\n")],
    });
    expect([runs, values]).toEqual([1, [{ n: 1 }]]);
    expect(found).toEqual([
      { size: 1, op: "x", t: 2 },
      { size: 3, op: "x", t: 4 },
    ]);
  });

  const columnsOf = (name: string): string => table(column(name));

  test("data sets of both go side by side, or one after the other", async () => {
    const text = "1\n2\n";
    const beside = await read(columnsOf("size"), text, { beside: [second(columnsOf("t"), "5\n6\n7\n")] });
    expect(beside.rows).toEqual([
      { size: 1, t: 5 },
      { size: 2, t: 6 },
      { size: null, t: 7 },
    ]);
    const sequential = await read(columnsOf("size"), text, { beside: [second(columnsOf("t"), "5\n")], sequential: true });
    expect(sequential.rows).toEqual([
      { size: 1, t: null },
      { size: 2, t: null },
      { size: null, t: 5 },
    ]);
    expect([beside.runs, sequential.runs]).toEqual([1, 1]);
    const after = await read(op, "op=x\n", { beside: [second(columnsOf("t"), "5\n")], sequential: true });
    expect(after.rows).toEqual([{ op: "x", t: 5 }]);
  });
});
