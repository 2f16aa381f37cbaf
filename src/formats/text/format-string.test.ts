import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFormatString, type FormatPiece } from "./format-string.ts";

describe("parseFormatString", () => {
  it("reads Perun's default short log", () => {
    expect(parseFormatString("%checksum:6% (%stats%) %desc%")).toEqual([
      { kind: "token", name: "checksum", width: 6, fill: " " },
      { kind: "text", text: " (" },
      { kind: "token", name: "stats", width: undefined, fill: " " },
      { kind: "text", text: ") " },
      { kind: "token", name: "desc", width: undefined, fill: " " },
    ]);
  });

  it("reads a fill character", () => {
    expect(parseFormatString("%desc:20f-%")).toEqual([{ kind: "token", name: "desc", width: 20, fill: "-" }]);
  });

  it("reads %% as a percent sign", () => {
    expect(parseFormatString("100%%")).toEqual([
      { kind: "text", text: "100" },
      { kind: "text", text: "%" },
    ]);
  });

  it("keeps every character of any text", () => {
    const print = (piece: FormatPiece): string => (piece.kind === "text" ? piece.text : piece.name);
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (/[%:]/.test(text)) return;
        expect(parseFormatString(text).map(print).join("")).toBe(text);
      }),
    );
  });
});
