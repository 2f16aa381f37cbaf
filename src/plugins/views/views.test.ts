import { describe, expect, it } from "vitest";
import { sampleRun, viewContract } from "../../../test/contracts/view.ts";
import type { TableBlock } from "../../core/figure.ts";
import type { Values } from "../../core/value.ts";
import { raw } from "./raw.ts";
import { tableOf } from "./table-of.ts";

const models: Values = new Map([["of", "models"]]);

viewContract(raw, { everything: new Map() });
viewContract(tableOf, { resources: new Map(), models, "one column": new Map([["headers", "amount"]]) });

function table(options: Readonly<Record<string, string>>): TableBlock {
  return tableOf.draw(sampleRun(), new Map(Object.entries(options))).blocks[0] as TableBlock;
}

describe("tableOf", () => {
  it("takes nested values apart", () => {
    expect(table({}).head.map((column) => column.label)).toEqual(["amount", "order", "uid:function", "uid:line", "uid", "type"]);
    expect(table({}).rows[0]).toEqual(["10.5", "0", "swap", "7", "swap:7", "time"]);
    expect(table({}).rows[3]).toEqual(["100", "", "main", "3", "main:3", "time"]);
    expect(table({ of: "models" }).rows).toEqual([["linear", "1.5", "1.5", "0.9"]]);
  });

  it("shows the wanted columns, sorted, with numbers by value and missing ones last", () => {
    const shown = table({ headers: "uid\namount", "sort-by": "order" });
    expect(shown.rows.map((row) => row.join(" "))).toEqual([
      "swap:7 10.5",
      "swap:7 9.5",
      "swap:7 8.5",
      "main:3 100",
      "main:3 101",
      "main:3 102",
    ]);
    expect(table({ headers: "amount", "sort-by": "amount" }).rows.flat()).toEqual(["8.5", "9.5", "10.5", "100", "101", "102"]);
    expect(table({ headers: "uid", "sort-by": "uid" }).rows[0]).toEqual(["main:3"]);
  });

  it("filters: the same key or, different keys and", () => {
    expect(table({ headers: "amount", "filter-by": "amount=9.5\namount=101" }).rows.flat()).toEqual(["9.5", "101"]);
    expect(table({ headers: "amount", "filter-by": "amount=9.5\namount=101\nuid:function=main" }).rows.flat()).toEqual(["101"]);
  });

  it.each([
    [{ headers: "amuont" }, "unknown-column"],
    [{ "sort-by": "nothing" }, "unknown-column"],
    [{ "filter-by": "uid" }, "bad-option"],
    [{ "filter-by": "uid=nobody" }, "nothing-to-draw"],
  ])("refuses %j with %s", (options, code) => {
    expect(() => table(options as Record<string, string>)).toThrowError(expect.objectContaining({ code }));
  });
});

it("raw shows every region but what is told elsewhere", () => {
  const figure = raw.draw(sampleRun(), new Map());
  const captions = figure.blocks.map((block) => (block.kind === "table" ? block.caption : ""));
  expect(captions).toEqual(["fixed", "steps", "machine", "data", "models", "other regions"]);
  expect(figure.blocks.at(-1)).toMatchObject({ rows: [["header:units:time", "ms"]] });
});
