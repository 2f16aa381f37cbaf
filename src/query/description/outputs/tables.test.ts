import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { latencies, shownColumn, shownOf, vectorOf } from "../../../../test/contracts/output-target.ts";
import { rowsOf } from "../../../core/tables/table.ts";
import { json } from "./text-targets.ts";
import { latex, parquet, csv, markdown } from "./tables.ts";
import type { Product } from "./target.ts";

const text = (product: Product): string => (product.kind === "data" ? String(product.data) : product.kind);
const host = vectorOf([shownColumn("host", "parameter", "string")], [["a"]]);

describe("tables", () => {
  test("merge vectors with the same columns, and show their filters", () => {
    const product = csv.show(shownOf([...latencies, host]));
    expect(product).toMatchObject({ kind: "figure", renderer: "csv" });
    const blocks = product.kind === "figure" ? product.figure.blocks : [];
    expect(blocks).toMatchObject([
      {
        caption: "np = 2",
        head: [{ label: "filters" }, { label: "S_msg [Byte]" }, { label: "T_pp [us]" }],
        rows: expect.arrayContaining([
          ["net = sci", "2", ""],
          ["net = myri", "4", "9.5"],
        ]),
      },
      { head: [{ label: "host" }], rows: [["a"]] },
    ]);
    expect(markdown.show(shownOf(latencies, { attributes: { title: "T" } }))).toMatchObject({
      renderer: "markdown",
      figure: { title: "T" },
    });
  });

  test("have no column for common filters", () => {
    const product = parquet.show(shownOf(latencies.slice(0, 1)));
    expect(product).toMatchObject({ kind: "table", format: "parquet" });
    expect(product.kind === "table" ? rowsOf(product.table) : []).toEqual([
      [1, 4.5],
      [2, null],
      [4, 5.25],
    ]);
  });

  test("of different columns do not fit into one Parquet file", () => {
    expect(() => parquet.show(shownOf([...latencies, host]))).toThrow("the inputs make 2");
    expect(() => parquet.show(shownOf([]))).toThrow("the inputs make 0");
  });
});

describe("LaTeX", () => {
  test("is a booktabs table", () => {
    expect(text(latex.show(shownOf(latencies.slice(1), { attributes: { title: "Ping" } })))).toBe(
      [
        "% Ping, net = myri, np = 2",
        "\\begin{tabular}{rr}",
        "\\toprule",
        "S\\_msg {[}Byte{]} & T\\_pp {[}us{]} \\\\",
        "\\midrule",
        "1 & 8 \\\\",
        "4 & 9.5 \\\\",
        "\\bottomrule",
        "\\end{tabular}",
        "",
      ].join("\n"),
    );
  });

  test("escapes commands, and typesets signs of numbers", () => {
    const column = shownColumn("c", "parameter", "string");
    const shown = text(latex.show(shownOf([vectorOf([column], [["*5% & $x_1^2$ \\input{f} ~#"], ["-1.5"], [null]])])));
    expect(shown).toContain(
      "{*}5\\% \\& \\$x\\_1\\textasciicircum{}2\\$ \\textbackslash{}input\\{f\\} " +
        "\\textasciitilde{}\\# \\\\\n$-1.5$ \\\\\n \\\\\n",
    );
  });
});

describe("JSON", () => {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync("schemas/vectors-1.schema.json", "utf8")) as object,
  );

  test("contains every vector with columns and rows, and matches its schema", () => {
    const document: unknown = JSON.parse(text(json.show(shownOf(latencies, { attributes: { title: "T" } }))));
    expect(document).toMatchObject({
      schema: "perfkeep.vectors/1",
      output: "out",
      title: "T",
      vectors: [
        {
          origin: "fast",
          filters: ["net = sci", "np = 2"],
          columns: [
            { name: "S_msg", role: "parameter", type: "integer", unit: "Byte" },
            { name: "T_pp", role: "result", type: "float", unit: "us" },
          ],
          rows: [
            [1, 4.5],
            [2, null],
            [4, 5.25],
          ],
        },
        { origin: "slow" },
      ],
    });
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  });

  test("matches its schema without vectors, and with values of all kinds", () => {
    const kinds = [
      "integer",
      "float",
      "string",
      "date",
      "timeofday",
      "duration",
      "timestamp",
      "boolean",
      "version",
    ] as const;
    const columns = kinds.map((type) => shownColumn(type, "parameter", type));
    const rows = [[2n ** 60n, Number.NaN, "x", 1, 1, 1.5, 1, true, "1.2"], kinds.map(() => null)];
    for (const shown of [shownOf([]), shownOf([vectorOf(columns, rows)])]) {
      const document: unknown = JSON.parse(text(json.show(shown)));
      expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});
