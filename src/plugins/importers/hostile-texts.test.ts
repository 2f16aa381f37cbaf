import { describe, expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { readReport } from "../../../test/contracts/report-importer.ts";
import { builtins } from "../builtin.ts";
import type { Importer } from "./importer.ts";

/** Heads on which an ambiguous pattern would take hours: one character, and long lines of it. */
const heads = [
  " ",
  "x",
  "1",
  ":",
  "(",
  ",",
  "\n",
  "\t",
  "- ",
  "a b ",
  "1 ",
  "::",
  "= ",
  "test ",
  "x x ",
  "│ ",
  "| ",
].flatMap((piece) => {
  const text = piece.repeat(65_536 / piece.length);
  const lines = `${piece.repeat(9_990 / piece.length)}\n`.repeat(6);
  return [text, lines, `test ${lines}`, `  L1 Hits: ${lines}`, `Benchmark${lines}`, `[ 10.00%] ··· ${lines}`];
});

const encoder = new TextEncoder();
const all = builtins.filter(({ kind }) => kind === "importer");

describe.each(all.map((each) => [each.name, each] as const))("importer %s", (_, builtIn) => {
  test("sniffs hostile heads in linear time and does not recognise them", async () => {
    const importer = (await builtIn.load()) as Importer;
    for (const head of heads) expect(importer.sniff(encoder.encode(head))).toBe(0);
  });

  test("reads hostile texts into runs or a Failure", async () => {
    const importer = (await builtIn.load()) as Importer;
    for (const head of heads.slice(0, 20)) {
      const failure: unknown = await readReport(importer, encoder.encode(head)).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure === undefined || isFailure(failure), String(failure)).toBe(true);
    }
  });
});
