import { describe, expect, test } from "vitest";
import type { Value, Values } from "../../../../core/values/value.ts";
import type { ImportGuide } from "../../importer.ts";
import { description } from "../description.ts";
import {
  bytesOf,
  column,
  onceValues,
  experiment,
  failure,
  locations,
  named,
  read,
  rows,
  sizes,
  table,
} from "../../../../../test/importers/read-stream.ts";

describe("tables", () => {
  test("a row of text is skipped, another number of entries ends the table", async () => {
    const { rows: found, notices } = await read(sizes, "# size t\n1 2\nEOF no\n3 4\nend of table\n5 6\n");
    expect(found).toEqual([
      { size: 1, t: 2 },
      { size: 3, t: 4 },
    ]);
    expect(notices).toEqual([
      "3: row skipped: 'EOF' is not a valid value for 'size'",
      "6: 1 line after the end of the table at line 5 looks like one of its rows: 6",
    ]);
  });

  test("a default replaces text", async () => {
    expect(await rows(table(column("size") + column("u")), "1 n/a\n2 3\n")).toEqual([
      [1, -1],
      [2, 3],
    ]);
  });

  test.each([
    ["rows", table(`<match>#</match><skip>1</skip>${column("size")}`, 'rows="2"'), "#\n1\n2\n3\n", [[1], [2]]],
    ["columns", table(column("size"), 'columns="2"'), "1\n2 3\n4 5 6\n7 8\n", [[2], [7]]],
    [
      "the row itself",
      table(`<match>at</match>${column("size", "<pos>1</pos>")}`, 'rows="1"'),
      "at 5\nat 6\n",
      [[5], [6]],
    ],
    [
      "positions",
      table(column("t", "<pos>2</pos>") + column("size", "<pos>0</pos>") + column("u")),
      "1 2 3\n",
      [[1, 3, 2]],
    ],
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
      "restarting",
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

  test("a once value belongs to the run", async () => {
    expect((await read(table(column("host") + column("n")), "a 3\n")).once).toEqual([{ host: "a", n: 3 }]);
  });

  test("many rows with changing values outside of the table", async () => {
    const text = Array.from({ length: 70_000 }, (_, at) =>
      at % 1000 === 0 ? `\nop=${at}\n# size t\n` : `${at} 1\n`,
    ).join("");
    const found = (await read(named("op", "<match>op=</match>") + sizes, text)).rows;
    expect(found).toHaveLength(69_930);
    expect(found.every(({ op, size }) => Number(op) === Number(size) - (Number(size) % 1000))).toBe(true);
  });

  test("a value that does not fit is a failure with its line", async () => {
    expect(await failure(sizes, "# size t\n1 2\n3000000000 2\n")).toMatch(/bad-content.*'size'.*line 3/);
    expect(await failure(sizes, "# size t\n1.5 2\n")).toMatch(/bad-content.*'size'.*line 2/);
    expect(await failure(named("host", "<match>h=</match>"), `h=${"x".repeat(21)}\n`)).toMatch(
      /bad-content.*21 characters.*line 1/,
    );
  });

  test("update: rows that change others are separate events with their keys", async () => {
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
  const term = [
    "<term><product><factor><parameter>size</parameter></factor><factor>",
    "<parameter>n</parameter></factor></product></term>",
  ].join("");

  test("derived: for every row, from values of the row and of the run", async () => {
    const derived = `<derived_parameter><name>u</name>${term}</derived_parameter>`;
    const xml = `${named("n", "<match>n=</match>")}${sizes}${derived}`;
    expect(await rows(xml, "n=3\n# size\n1 0\n2 0\n")).toEqual([
      [1, 0, 3],
      [2, 0, 6],
    ]);
  });

  test("derived: once, by a map", async () => {
    const map = '<map value="host"><mapping><content_in>a</content_in><content_out>nfs</content_out></mapping></map>';
    const xml = `${named("host", "<match>host=</match>")}<derived_parameter><name>fs</name>${map}</derived_parameter>`;
    expect(await onceValues(xml, "host=a\n")).toEqual({ host: "a", fs: "nfs" });
  });

  const edge = (mark: string): string =>
    named("op", `<match>${mark}</match>`, 'store_set="yes"') + named("t", "<match>at</match>", 'store_set="yes"');
  const split = `<split_location><name>s</name>
    <enter>${edge("enter")}</enter>
    <leave>${edge("leave")}</leave>
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

  test("values found before a failure are emitted", async () => {
    const seen: string[] = [];
    const reading = async (): Promise<void> => {
      const source = bytesOf("# size\n1 2\n2.5 2\n");
      for await (const event of description.read(source, new Map(), { experiment, description: locations(sizes) }))
        seen.push(event.kind);
    };
    await expect(reading()).rejects.toThrow("2.5");
    expect(seen).toEqual(["rows"]);
  });

  test("split: unmatched blocks", async () => {
    expect(await failure(calls, "enter f at 1\nleave f at 2\nleave g at 3\n")).toMatch(/^split-mismatch line 3/);
    expect(await failure(calls, "enter f at 1\nleave f at ()\n")).toMatch(/^split-mismatch line 2.*'t'/);
    expect((await read(calls, "enter f at 1\nleave f at 2\nenter g at 3\n")).notices.join()).toContain("never ends");
  });

  test("single values take precedence over columns, columns over fixed values", async () => {
    const fixed = [
      "<fixed_value><name>op</name><content>f</content></fixed_value><fixed_value><name>size</name>",
      "<content>7</content></fixed_value>",
    ].join("");
    expect(await rows(named("t", "<match>t=</match>") + sizes + fixed, "# size\n1 2\n\nt=5\n# size\n3 4\n")).toEqual([
      [1, "f", 2],
      [3, "f", 5],
    ]);
  });

  test("fixed and filename, also without a match", async () => {
    const xml = [
      "<fixed_value><name>n</name><content>4</content></fixed_value>",
      "<filename_location><name>host</name><match>_h</match></filename_location>",
    ].join("");
    expect(await read(xml, "", { path: "data_h1.txt" })).toMatchObject({ runs: 1, once: [{ n: 4 }] });
  });

  test("values fixed by the user are not searched", async () => {
    const fixed: Values = new Map<string, Value>([
      ["N", 9],
      ["t", 1],
    ]);
    const { once: found, rows: stored } = await read(named("n", "<match>n=</match>") + sizes, "n=1\n# size\n5 6\n", {
      fixed,
    });
    expect([found.at(-1), stored]).toEqual([{ n: 9 }, [{ size: 5, t: 1 }]]);
  });

  test("values known before the first line are emitted before the rows of each run", async () => {
    const xml = [
      "<filename_location><name>host</name><match>_h</match></filename_location>",
      "<set_separation><match>--</match></set_separation>",
    ].join("");
    const { once: found } = await read(
      named("n", "<match>n=</match>") + xml + sizes,
      "# size\n1 2\nn=1\n--\n# size\n3 4\n",
      {
        path: "data_h1.txt",
      },
    );
    const known = { host: found[0]?.["host"] };
    expect(known.host).toBeDefined();
    expect(found).toEqual([known, { ...known, n: 1 }, known, known]);
  });

  test("explicit", async () => {
    const xml = `<explicit_location><name>n</name><row>2</row><pos>2</pos></explicit_location>`;
    expect(await failure(xml, "a\nb 7\n")).toBe("no failure");
    expect((await onceValues(xml, "a 1\nb 7\n"))?.["n"]).toBe(7);
  });

  test("no match: a run of defaults if there is any once value, else a failure", async () => {
    expect(await read(named("n", "<match>n=</match>"), "x\n")).toMatchObject({ runs: 1, once: [] });
    expect(await failure(sizes, "x\n")).toMatch(/^nothing-found/);
  });

  test("names unknown to the experiment", async () => {
    expect(await failure(named("hosts", "<match>n=</match>"), "")).toMatch(
      /description-error in.xml:1:\d+.*did you mean host/,
    );
    expect(await failure(named("n", ""), "")).toMatch(/description-error.*neither/);
    expect(await failure(named("n", "<match>x</match>", 'lines="2"'), "")).toMatch(/description-error/);
  });
});

describe("several inputs of one run", () => {
  const op = named("op", "<match>op=</match>");
  const second = (xml: string, text: string): NonNullable<ImportGuide["companionInputs"]>[number] => ({
    source: bytesOf(text),
    description: locations(xml),
    path: "b",
  });

  test("values of one apply to the rows of the other", async () => {
    const {
      rows: found,
      runs,
      once: values,
    } = await read(named("n", "<match>n=</match>") + op, "n=1\nop=x\n", {
      companionInputs: [second(sizes, "# size\n1 2\n3 4\n")],
    });
    expect([runs, values]).toEqual([1, [{ n: 1 }]]);
    expect(found).toEqual([
      { size: 1, op: "x", t: 2 },
      { size: 3, op: "x", t: 4 },
    ]);
  });

  const columnsOf = (name: string): string => table(column(name));

  test("rows of both are joined side by side, or one after the other", async () => {
    const text = "1\n2\n";
    const parallel = await read(columnsOf("size"), text, { companionInputs: [second(columnsOf("t"), "5\n6\n7\n")] });
    expect(parallel.rows).toEqual([
      { size: 1, t: 5 },
      { size: 2, t: 6 },
      { size: null, t: 7 },
    ]);
    const sequential = await read(columnsOf("size"), text, {
      companionInputs: [second(columnsOf("t"), "5\n")],
      sequential: true,
    });
    expect(sequential.rows).toEqual([
      { size: 1, t: null },
      { size: 2, t: null },
      { size: null, t: 5 },
    ]);
    expect([parallel.runs, sequential.runs]).toEqual([1, 1]);
    const after = await read(op, "op=x\n", { companionInputs: [second(columnsOf("t"), "5\n")], sequential: true });
    expect(after.rows).toEqual([{ op: "x", t: 5 }]);
  });
});
