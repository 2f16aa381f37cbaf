import { describe, expect, it } from "vitest";
import { sampleRun, viewContract } from "../../../test/contracts/view.ts";
import type { TableBlock } from "../../core/figures/figure.ts";
import type { Value, Values } from "../../core/values/value.ts";
import { raw } from "./raw.ts";
import { tableOf } from "./table-of.ts";

const models: Values = new Map([["of", "models"]]);

viewContract(raw, { everything: new Map() });
viewContract(tableOf, { resources: new Map(), models, "one column": new Map([["headers", "amount"]]) });

function table(options: Readonly<Record<string, string>>): TableBlock {
  return tableOf.draw(sampleRun(), new Map(Object.entries(options))).blocks[0] as TableBlock;
}

describe("tableOf", () => {
  it("flattens nested values", () => {
    expect(table({}).head.map((column) => column.label)).toEqual([
      "amount",
      "order",
      "uid:function",
      "uid:line",
      "uid",
      "type",
    ]);
    expect(table({}).rows[0]).toEqual(["10.5", "0", "swap", "7", "swap:7", "time"]);
    expect(table({}).rows[3]).toEqual(["100", "", "main", "3", "main:3", "time"]);
    expect(table({ of: "models" }).rows).toEqual([["linear", "1.5", "1.5", "0.9"]]);
  });

  it("shows selected columns, sorted, with numbers by value and missing values last", () => {
    const shown = table({ headers: "uid\namount", "sort-by": "order" });
    expect(shown.rows.map((row) => row.join(" "))).toEqual([
      "swap:7 10.5",
      "swap:7 9.5",
      "swap:7 8.5",
      "main:3 100",
      "main:3 101",
      "main:3 102",
    ]);
    expect(table({ headers: "amount", "sort-by": "amount" }).rows.flat()).toEqual([
      "8.5",
      "9.5",
      "10.5",
      "100",
      "101",
      "102",
    ]);
    expect(table({ headers: "uid", "sort-by": "uid" }).rows[0]).toEqual(["main:3"]);
  });

  it("sorts by several columns, also descending, missing values last", () => {
    const amounts = (options: Readonly<Record<string, string>>): string =>
      table({ headers: "amount", ...options })
        .rows.flat()
        .join(" ");
    expect(amounts({ "sort-by": "-amount" })).toBe("102 101 100 10.5 9.5 8.5");
    expect(amounts({ "sort-by": "uid\n-amount" })).toBe("102 101 100 10.5 9.5 8.5");
    expect(amounts({ "sort-by": "-order\namount" })).toBe("8.5 9.5 10.5 100 101 102");
    const downwards = tableOf.draw(
      sampleRun(),
      new Map<string, Value>([
        ["sort-by", "amount"],
        ["headers", "amount"],
        ["descending", true],
        ["top", 2],
      ]),
    );
    expect((downwards.blocks[0] as TableBlock).rows.flat()).toEqual(["102", "101"]);
  });

  it("groups: one row per value, with a statistic of every other column", () => {
    const grouped = table({ "group-by": "uid:function", func: "mean", "sort-by": "-amount" });
    expect(grouped.head.map(({ label }) => label)).toEqual(["uid:function", "rows", "amount", "order", "uid:line"]);
    expect(grouped.rows).toEqual([
      ["main", "3", "101", "", "3"],
      ["swap", "3", "9.5", "1", "7"],
    ]);
    expect(table({ "group-by": "type", func: "nunique", headers: "type\nuid\namount" }).rows).toEqual([
      ["time", "2", "6"],
    ]);
    expect(table({ "group-by": "type", func: "unique", headers: "uid" }).rows).toEqual([["swap:7, main:3"]]);
    expect(table({ "group-by": "uid", where: "amount>=101", headers: "amount" }).rows).toEqual([["203"]]);
  });

  it("filters: values of one key are alternatives, keys are combined", () => {
    expect(table({ headers: "amount", "filter-by": "amount=9.5\namount=101" }).rows.flat()).toEqual(["9.5", "101"]);
    expect(table({ headers: "amount", "filter-by": "amount=9.5\namount=101\nuid:function=main" }).rows.flat()).toEqual([
      "101",
    ]);
  });

  it.each([
    [{ headers: "amuont" }, "unknown-column"],
    [{ "sort-by": "nothing" }, "unknown-column"],
    [{ "filter-by": "uid" }, "bad-option"],
    [{ "filter-by": "uid=unknown" }, "nothing-to-draw"],
    [{ where: "amount>1e6" }, "nothing-to-draw"],
    [{ "group-by": "uid", func: "most" }, "unknown-statistic"],
    [{ "group-by": "nothing" }, "unknown-column"],
  ])("refuses %j with %s", (options, code) => {
    expect(() => table(options as Record<string, string>)).toThrowError(expect.objectContaining({ code }));
  });
});

it("raw shows each region once", () => {
  const figure = raw.draw(sampleRun(), new Map());
  const captions = figure.blocks.map((block) => (block.kind === "table" ? block.caption : ""));
  expect(captions).toEqual(["fixed", "steps", "machine", "data", "models", "other regions"]);
  expect(figure.blocks.at(-1)).toMatchObject({ rows: [["header:units:time", "ms"]] });
});
