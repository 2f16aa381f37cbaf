import { expect, it } from "vitest";
import { lookOf, type SeriesLook, themeOf } from "./theme.ts";

it.each<readonly [string, number, (look: SeriesLook) => unknown]>([
  ["points", 24, ({ color, symbol }) => [color, symbol]],
  ["curves", 18, ({ color, dash }) => [color, dash]],
  ["bars", 18, ({ color, opacity }) => [color, opacity]],
])("%s of %i series look different", (_, count, seen) => {
  const looks = Array.from({ length: count }, (_unused, i) => JSON.stringify(seen(lookOf(themeOf(false), i))));
  expect(new Set(looks).size).toBe(count);
});

it("bars that cover others are opaque", () => expect(lookOf(themeOf(false), 7, true).opacity).toBe(1));
