import { describe, expect, test } from "vitest";
import { latencies, shownColumn, shownOf, vectorOf, zipEntries } from "../../../../test/contracts/output-target.ts";
import { opendoc, sheetOf } from "./opendoc.ts";
import type { Shown } from "./target.ts";
import { zipArchive } from "./zip-archive.ts";

/** Texts and numbers of a sheet; nothing for empty cells. */
function cells(shown: Shown): unknown[][] {
  const [page] = shown.pages;
  return sheetOf(page ?? { inputs: [] }).map((row) => row.map((cell) => cell?.value));
}

const median = shownColumn("median(t)", "result", "float", { unitText: "us" });
const most = shownColumn("max(t)", "result", "float", { unitText: "us" });
const scalar = (value: number, labels: readonly string[], result = median) => vectorOf([result], [[value]], labels);

describe("a sheet", () => {
  test("shows one vector below its filters", () => {
    const rows = cells(shownOf(latencies.slice(1)));
    expect(rows).toEqual([
      ["Parameters are:"],
      ["net = myri"],
      ["np = 2"],
      [],
      ["S_msg [byte]", "T_pp [us]"],
      [1, 8],
      [4, 9.5],
    ]);
  });

  test("shows vectors side by side, each below its filters", () => {
    expect(cells(shownOf(latencies)).slice(3)).toEqual([
      ["", "net = sci", "", "net = myri"],
      ["S_msg [byte]", "T_pp [us]", "S_msg [byte]", "T_pp [us]"],
      [1, 4.5, 1, 8],
      [2, null, 4, 9.5],
      [4, 5.25, undefined, undefined],
    ]);
  });

  test("shows shared parameters once", () => {
    const [first] = latencies;
    const twin = { ...latencies[0], labels: [{ text: "net = 'myri'", titleOnly: false }] } as typeof first;
    expect(cells(shownOf([first, twin].flatMap((each) => each ?? []))).slice(0, 3)).toEqual([
      ["", "net = sci, np = 2", "net = myri"],
      ["S_msg [byte]", "T_pp [us]", "T_pp [us]"],
      [1, 4.5, 4.5],
    ]);
  });

  test("shows single results by two filters that differ", () => {
    const vectors = [
      scalar(1, ["v 1.0", "SCI", "n < 10"]),
      scalar(2, ["v 1.1", "SCI", "n < 10"]),
      scalar(3, ["v 1.0", "Myri", "n < 10"]),
    ];
    expect(cells(shownOf(vectors))).toEqual([
      ["Parameters are:"],
      ["n < 10"],
      [],
      ["Results are median(t) [us]"],
      [],
      [undefined, "v 1.0", "v 1.1"],
      ["SCI", 1, 2],
      ["Myri", 3, undefined],
    ]);
  });

  test("shows different results by differing filters, in alphabetical order", () => {
    const vectors = [
      scalar(1, ["SCI", "v 1.0"]),
      scalar(2, ["SCI", "v 1.0"], most),
      scalar(3, ["v 1.1"]),
      scalar(4, ["v 1.1"], most),
    ];
    expect(cells(shownOf(vectors))).toEqual([
      [undefined, "max(t) [us]", "median(t) [us]"],
      ["SCI, v 1.0", 2, 1],
      ["v 1.1", 4, 3],
    ]);
  });
});

describe("a spreadsheet", () => {
  const value = (shown: Shown): string => {
    const product = opendoc.show(shown);
    if (product.kind !== "data" || typeof product.data === "string") throw new Error("no bytes");
    return new TextDecoder().decode(zipEntries(product.data).get("content.xml"));
  };

  test("stores numbers as numbers and everything else as text", () => {
    const kinds = ["string", "boolean", "timestamp", "float"] as const;
    const columns = kinds.map((type, at) => shownColumn(`c${at}`, "parameter", type));
    const xml = value(
      shownOf([
        vectorOf(columns, [
          ["=1+1", true, 0, Number.NaN],
          ["a\n  b\t", null, null, 1.5],
        ]),
      ]),
    );
    expect(xml).toContain('<table:table-cell office:value-type="string"><text:p>=1+1</text:p>');
    expect(xml).toContain('office:value-type="boolean" office:boolean-value="true"');
    expect(xml).toContain('office:value-type="string"><text:p>1970-01-01T00:00:00Z</text:p>');
    expect(xml).toContain('office:value-type="string"><text:p>NaN</text:p>');
    expect(xml).toContain('office:value-type="float" office:value="1.5"');
    expect(xml).toContain('<text:p>a<text:line-break/> <text:s text:c="1"/>b<text:tab/></text:p>');
  });

  test("has at most as many rows as programs can open", () => {
    const size = shownColumn("n", "parameter", "integer");
    const many = (length: number, counted = length) => ({
      ...vectorOf(
        [size],
        Array.from({ length }, () => [1]),
      ),
      length: counted,
    });
    expect(value(shownOf([many(2000)])).match(/<table:table-row>/g)).toHaveLength(2001);
    expect(() => value(shownOf([many(1, 1_048_577)]))).toThrow("its sheet would have 1048577 rows");
  });

  test("has a sheet for each page, with valid names", () => {
    const shown = { ...shownOf(latencies), name: "a[1]:'b'" };
    expect(value({ ...shown, pages: [...shown.pages, ...shown.pages] }).match(/table:name="[^"]*"/g)).toEqual([
      'table:name="a 1   b  1"',
      'table:name="a 1   b  2"',
    ]);
  });
});

test("an archive has the bytes of the format", () => {
  const archive = zipArchive([{ name: "a.txt", bytes: new TextEncoder().encode("123456789") }]);
  const view = new DataView(archive.buffer);
  // The known CRC-32 of these nine digits.
  expect(view.getUint32(14, true)).toBe(0xcbf43926);
  expect(archive.length).toBe(30 + 5 + 9 + 46 + 5 + 22);
  expect([view.getUint32(44, true), view.getUint32(95, true)]).toEqual([0x02014b50, 0x06054b50]);
  expect([view.getUint16(95 + 10, true), view.getUint32(95 + 12, true), view.getUint32(95 + 16, true)]).toEqual([
    1, 51, 44,
  ]);
});
