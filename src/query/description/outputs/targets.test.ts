import { describe, expect, test } from "vitest";
import { readXml } from "../../../formats/text/xml.ts";
import { outputTargetContract, zipEntries } from "../../../../test/contracts/output-target.ts";
import type { Product } from "./target.ts";
import { targets } from "./outputs.ts";

function contentOf(product: Product): string | Uint8Array {
  if (product.kind !== "data") throw new Error(`a ${product.kind} instead of a content`);
  return product.data;
}

const textOf = (product: Product): string => String(contentOf(product));

/** Outside of quotes there are known commands only, and nothing that runs, reads or writes; data are numbers. */
function requireTameScript(product: Product): void {
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

/** What is left of cells and head without the escapes that there are has no character that means something. */
function requireTameLatex(product: Product): void {
  const known =
    /\\\\$|\\(?:begin|end)\{tabular\}(?:\{[lr]*\})?|\\(?:top|mid|bottom)rule|\\(?:text[a-z]+)\{\}|\\[#$%&_{}]|\{[[\]*]\}|\$-[\d.e+-]+\$/gm;
  for (const line of textOf(product).split("\n")) {
    if (line.startsWith("% ")) continue;
    expect(line.replaceAll(known, "").replaceAll(" & ", " ")).not.toMatch(/[\\{}$%#_~^&[\]*]/);
  }
}

function requireSpreadsheet(product: Product): void {
  const entries = zipEntries(contentOf(product) as Uint8Array);
  expect([...entries.keys()]).toEqual(["mimetype", "content.xml", "META-INF/manifest.xml"]);
  const xml = new TextDecoder().decode(entries.get("content.xml"));
  expect(readXml(xml, "content.xml").name).toBe("office:document-content");
  expect(xml).not.toContain("table:formula");
}

const checks: Readonly<Record<string, (product: Product) => void>> = {
  raw_text: (product) => expect(textOf(product)).not.toMatch(/[^\P{Cc}\n\t]/u),
  gnuplot: requireTameScript,
  xml: (product) =>
    void textOf(product)
      .split(/(?<=<\/output>\n)/)
      .map((document) => readXml(document, "out.xml")),
  opendoc: requireSpreadsheet,
  json: (product) => expect(JSON.parse(textOf(product))).toMatchObject({ schema: "perfkeep.vectors/1", output: "out" }),
  latex: requireTameLatex,
};

/** Renderers escape what figures say, and the engine what tables do: that is proven there. */
function requireHandedOn(product: Product): void {
  expect(product.kind).not.toBe("data");
}

for (const target of targets) outputTargetContract(target, checks[target.name] ?? requireHandedOn);

describe("targets", () => {
  test("have unique names", () => {
    expect(new Set(targets.map(({ name }) => name)).size).toBe(targets.length);
  });
});
