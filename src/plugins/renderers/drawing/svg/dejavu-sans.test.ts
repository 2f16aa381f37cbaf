import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToPixels, textWidth } from "./dejavu-sans.ts";

describe("cutToPixels", () => {
  it("keeps the longest prefix that fits with an ellipsis, and text that fits without", () => {
    expect(cutToPixels("iiii", textWidth("iiii", 12), 12)).toBe("iiii");
    expect(cutToPixels("wwwwww", textWidth("www…", 12), 12)).toBe("www…");
    expect(cutToPixels("w", 1, 12)).toBe("…");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), fc.integer({ min: 0, max: 200 }), (text, pixels) => {
        const chars = [...text];
        const beginnings = chars.map((_, at) => `${chars.slice(0, chars.length - at - 1).join("")}…`);
        const longest = beginnings.find((each) => textWidth(each, 12) <= pixels) ?? "…";
        expect(cutToPixels(text, pixels, 12)).toBe(textWidth(text, 12) <= pixels ? text : longest);
      }),
    );
  });

  it("does not read the rest of a very long name", () => {
    let looked = 0;
    const text = {
      length: 1,
      slice: () => "w",
      *[Symbol.iterator]() {
        for (looked = 0; looked < 1000; looked++) yield "w";
      },
    } as unknown as string;
    expect(cutToPixels(text, 30, 12)).toBe("w…");
    expect(looked).toBeLessThan(10);
  });
});
