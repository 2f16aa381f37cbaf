import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failure } from "../../core/failures/failure.ts";
import { readExportDescription } from "./export-description.ts";

const read = (text: string) => readExportDescription(text, "x.export");

describe("the description of an export", () => {
  it("has format, values, conditions, runs and commits, possibly in several lines", () => {
    const text = [
      "# what the report needs",
      "FORMAT csv",
      "VALUE run S_chunk",
      '  value B_write  "odd name"',
      "WHERE op=write",
      "WHERE S_chunk >= 1KiByte ",
      "RUN 3 second 4",
      "",
      "COMMIT main v1..v2",
      "DELETED",
    ].join("\r\n");
    expect(read(text)).toEqual({
      format: "csv",
      variables: ["run", "S_chunk", "B_write", "odd name"],
      where: ["op=write", "S_chunk >= 1KiByte"],
      runs: [3, "second", 4],
      commits: ["main", "v1..v2"],
      deleted: true,
    });
    expect(read("")).toEqual({ variables: [], where: [], runs: [], commits: [], deleted: false });
  });

  it.each([
    ["FROMAT csv", 1, "unknown keyword 'FROMAT', did you mean FORMAT?"],
    ["FORMAT cvs", 8, "unknown format 'cvs', did you mean csv?"],
    ["FORMAT csv json", 12, "the format is given twice"],
    ["RUN", 4, "RUN needs a value"],
    ["VALUE a=1", 7, "expected a name, not 'a='"],
    ['VALUE "a', 7, "this quote is not closed on its line"],
    ["DELETED runs", 9, "DELETED takes no value"],
  ])("refuses %s", (text, column, message) => {
    expect(() => read(`\n${text}`)).toThrow(`x.export:2:${column}: ${message}`);
  });

  it("is read or refused with a Failure for any text", () => {
    const line = fc.tuple(
      fc.constantFrom("FORMAT", "VALUE", "WHERE", "RUN", "COMMIT", "DELETED", ""),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (lines) => {
        try {
          read(lines.map((words) => words.join(" ")).join("\n"));
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
    );
  });
});
