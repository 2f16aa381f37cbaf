import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFailure } from "../../src/core/failures/failure.ts";
import type { OutputElement } from "../../src/core/experiments/query-description.ts";
import { columnKind } from "../../src/core/tables/table.ts";
import { tableOf } from "../../src/core/tables/table-builder.ts";
import { parseUnit } from "../../src/core/values/unit.ts";
import type { Value } from "../../src/core/values/value.ts";
import type { Variable } from "../../src/core/variables/variable.ts";
import type { ShownVector } from "../../src/query/description/outputs/shown-vector.ts";
import type { Product, Shown, Target } from "../../src/query/description/outputs/target.ts";
import type { Vector } from "../../src/query/description/vector.ts";

/** A column of a vector, in few words. */
export function shownColumn(
  name: string,
  role: Variable["role"],
  type: Variable["type"],
  more: Partial<Variable> & { unitText?: string } = {},
): Variable {
  const { unitText, ...rest } = more;
  return {
    name,
    role,
    type,
    occurrence: "multiple",
    ...(unitText === undefined ? {} : { unit: parseUnit(unitText) }),
    ...rest,
  };
}

export function vectorOf(
  variables: readonly Variable[],
  rows: readonly (readonly Value[])[],
  labels: readonly string[] = [],
  origin = "src",
): Vector {
  const table = tableOf(variables, rows);
  const columns = variables.map((variable, at) => {
    const column = table.columns[at];
    if (column === undefined || column.kind === "interned")
      throw new Error(`no column of ${columnKind(variable.type)}`);
    return { variable, display: variable.name, column };
  });
  const said = labels.map((text) => ({ text, titleOnly: false }));
  return {
    origin,
    from: "source",
    columns,
    runs: new Int32Array(rows.length).fill(1),
    chronology: [1],
    length: rows.length,
    labels: said,
  };
}

export interface ShownOptions {
  readonly attributes?: Readonly<Record<string, string>>;
  readonly options?: readonly string[];
  readonly tics?: OutputElement["tics"];
  readonly base?: string;
  /** Attributes of each input, in order. */
  readonly inputs?: readonly Readonly<Record<string, string>>[];
}

export function shownOf(
  vectors: readonly Vector[],
  { attributes = {}, options = [], tics = [], base, inputs = [] }: ShownOptions = {},
): Shown {
  const shown = vectors.map((vector, at): ShownVector => ({
    vector,
    attributes: new Map(Object.entries(inputs[at] ?? {})) as ShownVector["attributes"],
  }));
  const element: OutputElement = {
    id: "out",
    attributes: new Map(Object.entries(attributes)) as OutputElement["attributes"],
    inputs: [],
    options,
    tics,
  };
  return { element, name: "out", pages: [{ inputs: shown }], ...(base === undefined ? {} : { base }) };
}

const size = shownColumn("S_msg", "parameter", "integer", { unitText: "Byte", synopsis: "message size" });
const time = shownColumn("T_pp", "result", "float", { unitText: "us" });

/** Two series over a size, told apart by a filter; a content is missing. */
export const latencies: readonly Vector[] = [
  vectorOf(
    [size, time],
    [
      [1, 4.5],
      [2, null],
      [4, 5.25],
    ],
    ["net = 'sci'", "np = 2"],
    "fast",
  ),
  vectorOf(
    [size, time],
    [
      [1, 8],
      [4, 9.5],
    ],
    ["net = 'myri'", "np = 2"],
    "slow",
  ),
];

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "`touch x`",
    "'; system('touch x'); '",
    '" . system("x") . "',
    "a\nset output '|sh'\n",
    "e\n",
    "\\input{/etc/passwd}",
    "}{\\write18{x}",
    "</office:document-content><!--",
    "]]>",
    "&amp;&#0;",
    "=cmd|' /C calc'!A0",
    "@SUM(1)",
    "\u001b[31mred",
    "\u009b31m",
    "x\0y",
    "$(x)",
    "_^{}~@&",
    "\\",
    "'",
    "%s%n",
    "\ud800",
    "<script>alert(1)</script>",
    "| a | b |",
    "\u202e",
    "* [x](javascript:y)",
  ),
);

/** Vectors and attributes with texts that try to get out of where they stand. */
const hostile = fc
  .record({
    texts: fc.array(nasty, { minLength: 8, maxLength: 8 }),
    rows: fc.integer({ min: 0, max: 3 }),
    attributes: fc.boolean(),
  })
  .map(({ texts, rows, attributes }) => {
    const [name = "", label = "", content = "", title = "", synopsis = "", prefix = "", place = "", origin = ""] =
      texts;
    const variables = [
      shownColumn(name, "parameter", "string", { synopsis }),
      shownColumn(`${name}r`, "result", "float", { synopsis: content }),
    ];
    const vector = vectorOf(
      variables,
      Array.from({ length: rows }, (_, row) => [row === 1 ? null : content, row]),
      [label, title],
      origin,
    );
    return {
      texts,
      shown: (more: Readonly<Record<string, string>>) =>
        shownOf([vector, { ...vector, labels: [{ text: content, titleOnly: true }] }], {
          attributes: { ...more, title, ...(attributes ? { filterstring: place, type: "bars" } : {}) },
          inputs: [{ labelprefix: prefix, label: attributes ? "title" : "full" }, { axislabel: place }],
          base: "picture",
        }),
    };
  });

/** What every target does. `requireSafe` throws when the product could do more than show what is in it. */
export function outputTargetContract(target: Target, requireSafe: (product: Product) => void): void {
  const own = { target: target.name };

  describe(`target ${target.name}`, () => {
    it("names itself and its files", () => {
      expect(target.name).toMatch(/^[a-z_]+$/);
      expect(target.extension).toMatch(/^[a-z]+$/);
    });

    it("shows vectors, the same each time", () => {
      const first = target.show(shownOf(latencies, { attributes: own }));
      requireSafe(first);
      expect(target.show(shownOf(latencies, { attributes: own }))).toEqual(first);
    });

    it.each([
      ["no input", []],
      ["no column", [vectorOf([], [])]],
      ["no row", [vectorOf([size, time], [])]],
    ] as const)("shows %s, or says why not", (_, vectors) => {
      requireSafeOrRefused(() => target.show(shownOf(vectors, { attributes: own })), requireSafe);
    });

    it("lets no text out of its place", () => {
      fc.assert(fc.property(hostile, ({ shown }) => requireSafeOrRefused(() => target.show(shown(own)), requireSafe)));
    });
  });
}

/** A refusal is no product; what comes instead of one has to be safe. */
function requireSafeOrRefused(show: () => Product, requireSafe: (product: Product) => void): void {
  let product: Product;
  try {
    product = show();
  } catch (error) {
    if (!isFailure(error)) throw error;
    return;
  }
  requireSafe(product);
}

/** Entries of an archive whose entries are stored, by name, in order. */
export function zipEntries(archive: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const entries = new Map<string, Uint8Array>();
  let at = 0;
  while (view.getUint32(at, true) === 0x04034b50) {
    expect(view.getUint16(at + 8, true)).toBe(0);
    const [length, name] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true)];
    const start = at + 30 + name + view.getUint16(at + 28, true);
    entries.set(
      new TextDecoder().decode(archive.subarray(at + 30, at + 30 + name)),
      archive.subarray(start, start + length),
    );
    at = start + length;
  }
  expect(view.getUint32(at, true)).toBe(0x02014b50);
  return entries;
}
