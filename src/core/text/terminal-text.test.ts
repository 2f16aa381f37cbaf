import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asciiText,
  cutMiddle,
  cutToWidth,
  displayWidth,
  padToWidth,
  terminalLines,
  terminalOutput,
  terminalText,
} from "./terminal-text.ts";

describe("terminalText", () => {
  it.each([
    ["plain ~ text", "plain ~ text"],
    ["\x1b[31mred\x07", "^[[31mred^G"],
    ["a\nb\tc\x7f", "a^Jb^Ic^?"],
    ["\u009b2J", "<U+009B>2J"],
    ["abc\u202edcba", "abc<U+202E>dcba"],
    ["x\u{e0041}", "x<U+E0041>"],
    ["lone \ud83d end", "lone <U+D83D> end"],
    ["größe 日本 😀", "größe 日本 😀"],
    ["👩‍👧", "👩‍👧"],
  ])("shows %j as %j", (text, shown) => expect(terminalText(text)).toBe(shown));

  it("removes all terminal controls", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        // oxlint-disable-next-line no-control-regex -- checks that controls are removed
        expect(terminalText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  it("keeps the lines of longer text", () => expect(terminalLines("a\r\n\tb\x1b")).toBe("a^M\n\tb^["));
});

describe("terminalOutput", () => {
  it("keeps colours and links of styled text, and shows all other controls", () => {
    const own = "\x1b[1;31mred\x1b[0m \x1b]8;;https://a/b\x1b\\x\x1b]8;;\x1b\\\n\ty\r\n";
    expect(terminalOutput(own, "styled")).toBe(own.replace("\r", ""));
    expect(terminalOutput("\x1b]0;title\x07\x1b[2J\x1b]8;;\x1b[2J\x9b31m\u202e", "styled")).toBe(
      "^[]0;title^G^[[2J^[]8;;^[[2J<U+009B>31m<U+202E>",
    );
    expect(terminalOutput("\x1b[31m,\u202e\r\n", "plain")).toBe("^[[31m,<U+202E>\n");
  });

  it("keeps the meaning of JSON", () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
        const json = `${JSON.stringify([value, text, "\x9b\u202e\u{e0041}"])}\n`;
        const shown = terminalOutput(json, "json");
        expect(JSON.parse(shown)).toEqual(JSON.parse(json));
        // oxlint-disable-next-line no-control-regex -- checks that controls are removed
        expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u{e0000}-\u{e007f}]/u);
      }),
    ));
});

describe("displayWidth", () => {
  it.each([
    ["abc", 3],
    ["", 0],
    ["日本", 4],
    ["e\u0301", 1],
    ["\u0301", 0],
    ["😀", 2],
    ["👩‍👧", 2],
    ["🇨🇿", 2],
    ["❤\ufe0f", 2],
    ["±…●", 3],
    ["한글", 4],
  ])("%j takes %i columns", (text, width) => expect(displayWidth(text)).toBe(width));
});

describe("cutToWidth and padToWidth", () => {
  it("cuts between graphemes", () => {
    expect(cutToWidth("abcdef", 4)).toBe("abc…");
    expect(cutToWidth("日本語", 4)).toBe("日…");
    expect(cutToWidth("abcdef", 4, "...")).toBe("a...");
    expect(cutToWidth("abcdef", 2, "...")).toBe("ab");
    expect(cutToWidth("abc", 3)).toBe("abc");
  });

  it("never exceeds the width", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, width) => {
        const shown = terminalText(text);
        expect(displayWidth(cutToWidth(shown, width))).toBeLessThanOrEqual(width);
        expect(displayWidth(padToWidth(cutToWidth(shown, width), width))).toBe(width);
      }),
    );
  });

  it("cuts in the middle and keeps both ends", () => {
    expect(cutMiddle("src/core/figures/figure.ts", 9)).toBe("src/…e.ts");
    expect(cutMiddle("abcdef", 6)).toBe("abcdef");
    expect(cutMiddle("日本語日本語", 7)).toBe("日…本語");
    expect(cutMiddle("日本語日本語", 6)).toBe("日…語");
    expect(cutMiddle("👩‍👩‍👧 family and 👩‍👩‍👧", 6)).toBe("👩‍👩‍👧 …👩‍👩‍👧");
    expect(cutMiddle("abcdef", 5, "...")).toBe("a...f");
    expect(cutMiddle("abcdef", 2)).toBe("a…");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, width) => {
        expect(displayWidth(cutMiddle(terminalText(text), width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("escapes non-ASCII characters for ASCII terminals", () =>
    expect(asciiText("né 😀")).toBe(String.raw`n\u{e9} \u{1f600}`));

  it("aligns numbers right", () => expect(padToWidth("7", 3, "right")).toBe("  7"));
});
