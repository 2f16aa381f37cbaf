import { describe, expect, test } from "vitest";
import { readXml } from "../../../formats/text/xml.ts";
import { outputTargetContract, zipEntries } from "../../../../test/contracts/output-target.ts";
import type { Product } from "./target.ts";
import { targets } from "./outputs.ts";

function dataOf(product: Product): string | Uint8Array {
  if (product.kind !== "data") throw new Error(`a ${product.kind} instead of data`);
  return product.data;
}

const textOf = (product: Product): string => String(dataOf(product));

/** Requires known commands only outside of quotes, nothing that runs, reads or writes; data are numbers. */
function requireSafeScript(product: Product): void {
  let inData = false;
  for (const line of textOf(product).trimEnd().split("\n")) {
    const bare = line.replaceAll(/'(?:[^']|'')*'/g, "''");
    if (line.startsWith("set terminal ")) inData = false;
    if (inData) expect(line).toMatch(/^(?:(?:[-+\d.e]+|nan|-?inf|None)(?: |$))*$/);
    else if (!line.startsWith("# no input")) expect(bare).toMatch(/^(?:set|unset|s?plot) [-\w ,.:()[\]']*$/);
    if (/^s?plot /.test(line)) inData = true;
    expect(line).not.toMatch(/\p{Cc}/u);
  }
  for (const [file] of textOf(product).matchAll(/^set output .*$/gm))
    expect(file).toMatch(/^set output '\.\/picture\./);
}

/** Requires that cells and head contain no special characters other than known escapes. */
function requireSafeLatex(product: Product): void {
  const known = new RegExp(
    [
      /\\\\$/.source,
      /\\(?:begin|end)\{tabular\}(?:\{[lr]*\})?/.source,
      /\\(?:top|mid|bottom)rule/.source,
      /\\(?:text[a-z]+)\{\}/.source,
      /\\[#$%&_{}]/.source,
      /\{[[\]*]\}/.source,
      /\$-[\d.e+-]+\$/.source,
    ].join("|"),
    "gm",
  );
  for (const line of textOf(product).split("\n")) {
    if (line.startsWith("% ")) continue;
    expect(line.replaceAll(known, "").replaceAll(" & ", " ")).not.toMatch(/[\\{}$%#_~^&[\]*]/);
  }
}

function requireSpreadsheet(product: Product): void {
  const entries = zipEntries(dataOf(product) as Uint8Array);
  expect([...entries.keys()]).toEqual(["mimetype", "content.xml", "META-INF/manifest.xml"]);
  const xml = new TextDecoder().decode(entries.get("content.xml"));
  expect(readXml(xml, "content.xml").name).toBe("office:document-content");
  expect(xml).not.toContain("table:formula");
}

const checks: Readonly<Record<string, (product: Product) => void>> = {
  raw_text: (product) => expect(textOf(product)).not.toMatch(/[^\P{Cc}\n\t]/u),
  gnuplot: requireSafeScript,
  xml: (product) =>
    void textOf(product)
      .split(/(?<=<\/output>\n)/)
      .map((document) => readXml(document, "out.xml")),
  opendoc: requireSpreadsheet,
  json: (product) => expect(JSON.parse(textOf(product))).toMatchObject({ schema: "perfkeep.vectors/1", output: "out" }),
  latex: requireSafeLatex,
};

/** Renderers escape figures, and engines tables, which are tested there. */
function requireHandedOn(product: Product): void {
  expect(product.kind).not.toBe("data");
}

for (const target of targets) outputTargetContract(target, checks[target.name] ?? requireHandedOn);

describe("targets", () => {
  test("have unique names", () => {
    expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length);
  });
});
