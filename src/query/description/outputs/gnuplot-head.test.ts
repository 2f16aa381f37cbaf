import { describe, expect, test } from "vitest";
import { isFailure } from "../../../core/failures/failure.ts";
import { optionCommand } from "./gnuplot-head.ts";
import { enhanced } from "../../../core/text/gnuplot-escape.ts";

describe("an option", () => {
  test.each([
    ["logscale x 2", "set logscale x 2"],
    ["yrange[0:10]", "set yrange[0:10]"],
    ["xrange [-5:*]", "set xrange [-5:*]"],
    ["key bottom right", "set key bottom right"],
    ["nokey", "unset key"],
    ['ylabel "it\'s [%]"', "set ylabel 'it''s [%]'"],
    ["xtics ('a' 0, \"b\" 1)", "set xtics ('a' 0, 'b' 1)"],
    ["dgrid3d ,,100", "set dgrid3d ,,100"],
    ["style line 1 lt 0", "set style line 1 lt 0"],
    ["format y '%.1e'", "set format y '%.1e'"],
    ["grid\nytics", "set grid ytics"],
  ])("%j becomes a command", (option, command) => {
    expect(optionCommand(option, "out")).toBe(command);
  });

  test.each([
    "output 'x'",
    "terminal png",
    "print '|sh'",
    "grid; system 'x'",
    "grid\n!touch x",
    "yrange [0:system('x')]",
    "yrange [0:`x`]",
    'label "`x`"',
    "title system ('x')",
    "label sprintf('%s', x)",
    "palette file '<x'",
    "loadpath 'x'",
    "style fill @x",
    "key {x}",
    "xrange [0:$1]",
    "",
    "!x",
    "grid # x",
    "label 'open",
    "-e 'system x'",
    "grid & x",
    "arrow | x",
    "fontpath 'x'",
    "tics = x",
    "datafile separator ','",
    "__proto__",
    "title exec",
    "xrange [a(1):b]",
  ])("rejects %j", (option) => {
    let error: unknown;
    try {
      optionCommand(option, "out");
    } catch (reason) {
      error = reason;
    }
    expect(isFailure(error, "query-not-possible")).toBe(true);
  });
});

test.each([
  ["B_scatter for b_eff_io", "B_{scatter} for b\\_eff\\_io"],
  ["L\\_min", "L\\_min"],
  ["a{b}", "a\\{b\\}"],
  ["x^2", "x^{2}"],
  ["a_", "a\\_"],
  ["@~&\\", "\\@\\~\\&\\\\"],
  ["é_ü", "é_{ü}"],
])("shows %s as %s", (name, text) => {
  expect(enhanced(name)).toBe(text);
});
