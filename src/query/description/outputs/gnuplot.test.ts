import { describe, expect, test } from "vitest";
import {
  latencies,
  shownColumn,
  shownOf,
  vectorOf,
  type ShownOptions,
} from "../../../../test/contracts/output-target.ts";
import type { Vector } from "../vector.ts";
import { gnuplot } from "./gnuplot.ts";

function script(vectors: readonly Vector[], options: ShownOptions = {}): string {
  const product = gnuplot.show(shownOf(vectors, options));
  return product.kind === "data" ? String(product.data) : "";
}

const lines = (...text: string[]): string => text.map((line) => `${line}\n`).join("");
const ofOut = (text: string): string[] => text.split("\n").filter((line) => !/^(?:[-\d]|e$)/.test(line));
const proc = shownColumn("N_proc", "parameter", "integer");
const size = shownColumn("size", "parameter", "integer", { unitText: "Byte" });
const time = shownColumn("t", "result", "float", { unitText: "us" });
const rate = shownColumn("rate", "result", "float", { unitText: "MByte/s" });

describe("a gnuplot script", () => {
  test("plots each result over the first parameter", () => {
    expect(
      script(latencies, {
        attributes: { format: "eps", title: "Latency" },
        base: "lat",
        options: ["-persist", "logscale x 2"],
      }),
    ).toBe(
      lines(
        "set terminal postscript eps enhanced color 'Helvetica' 12",
        "set encoding utf8",
        "set output './lat.eps'",
        "set title 'Latency'",
        "set xlabel 'message size [Byte]'",
        "set ylabel 'T_{pp} [µs]'",
        "set logscale x 2",
        "plot '-' using 1:2 title 'T_{pp} for net = sci, np = 2' axes x1y1 with linespoints lw 2 ps 2," +
          "'-' using 1:2 title 'T_{pp} for net = myri, np = 2' axes x1y1 with linespoints lw 2 ps 2",
        "1 4.5 ",
        "4 5.25 ",
        "e",
        "1 8.0 ",
        "4 9.5 ",
        "e",
      ),
    );
  });

  test("groups bars around their category, numbers in order of size", () => {
    const text = script(
      [
        vectorOf(
          [size, time],
          [
            [8, 1],
            [64, 2],
          ],
        ),
        vectorOf(
          [size, time],
          [
            [16, 3],
            [8, 4],
          ],
        ),
      ],
      { attributes: { type: "bars" } },
    );
    expect(text).toContain("set boxwidth 0.400000\n");
    expect(text).toContain("set xrange [-0.5:2.500000]\nset xtics ('8' 0,'16' 1,'64' 2)\n");
    expect(text).toContain("with boxes\n-0.200000 1.0 \n1.800000 2.0 \ne\n1.200000 3.0 \n0.200000 4.0 \ne\n");
  });

  test("puts rows with a missing parameter last", () => {
    const rows = [
      [64, 1],
      [null, 2],
      [8, 3],
    ];
    expect(script([vectorOf([size, time], rows)], { attributes: { type: "bars" } })).toContain(
      "set xtics ('8' 0,'64' 1,'None' 2)\n",
    );
    const surface = script(
      [
        vectorOf(
          [proc, size, time],
          [
            [1, 8, 1],
            [1, null, 2],
          ],
        ),
      ],
      { attributes: { dimensions: "3" } },
    );
    expect(surface).toContain("set ytics (8)\n");
    expect(surface).toContain("set datafile missing 'None'\n");
  });

  test("puts results of another unit on the second axis, and rejects a third unit", () => {
    const both = [vectorOf([size, time, rate], [[8, 1, 2]])];
    expect(script(both)).toContain("set y2label 'rate [MByte/s]'\nset y2tics\nset ytics nomirror\n");
    expect(script(both)).toContain("axes x1y2 with");
    const third = vectorOf([size, shownColumn("n", "result", "integer")], [[8, 1]]);
    expect(() => script([...both, third])).toThrow("a plot has two axes");
  });

  test.each([
    ["ydelta", [time, shownColumn("d", "result", "float")], [[8, 1, 2]], "using 1:2:3", "yerrorlines", "8 1.0 2.0 "],
    [
      "ylowhigh",
      [time, shownColumn("l", "result", "float"), shownColumn("h", "result", "float")],
      [[8, 2, 1, 5]],
      "using 1:2:3:4",
      "yerrorlines",
      "8 2.0 1.0 5.0 ",
    ],
  ] as const)("plots error bars of %s", (errors, results, rows, using, style, line) => {
    const text = script([vectorOf([size, ...results], rows)], { inputs: [{ errors }] });
    expect(text).toContain(using);
    expect(text).toContain(style);
    expect(text).toContain(`\n${line}\ne\n`);
    expect(() => script([vectorOf([size, time], [[8, 1]])], { inputs: [{ errors }] })).toThrow(
      `error bars ${errors} need`,
    );
  });

  test("plots a surface over two parameters, its lines separated by empty lines", () => {
    const rows = [
      [1, 8, 1],
      [1, 16, 2],
      [2, 8, 3],
      [2, 16, 4],
    ];
    const text = script([vectorOf([proc, size, time], rows)], {
      attributes: { dimensions: "3", style: "lines" },
      options: ["pm3d", "view 60,30"],
    });
    expect(text).toContain(
      "set xlabel 'N_{proc}'\nset ylabel 'size [Byte]'\nset zlabel 't [µs]' rotate by 90\nset xyplane 0\n" +
        "set xtics (1,2)\nset ytics (8,16)\nset pm3d\nset view 60,30\n",
    );
    expect(text).toContain(
      "splot '-' using 1:2:3 title 't' with lines lw 2\n1 8 1.0 \n1 16 2.0 \n\n2 8 3.0 \n2 16 4.0 \ne\n",
    );
  });

  test("rejects surfaces without lines, and those over one parameter", () => {
    const attributes = { dimensions: "3" };
    expect(() =>
      script(
        [
          vectorOf(
            [proc, size, time],
            [
              [1, 8, 1],
              [2, 8, 2],
              [1, 16, 3],
            ],
          ),
        ],
        { attributes },
      ),
    ).toThrow("sort by it");
    expect(() =>
      script(
        [
          vectorOf(
            [size, time],
            [
              [8, 1],
              [16, 2],
            ],
          ),
        ],
        { attributes },
      ),
    ).toThrow("needs two parameters");
  });

  test("puts common labels in the title and distinct ones in the key", () => {
    const inputs = [{ label: "title", labelprefix: "of " }, { label: "fulltitle" }];
    const text = script(latencies, { attributes: { title: "Ping (FILTER)", filterstring: "FILTER" }, inputs });
    expect(text).toContain("set title 'Ping (np = 2)'\n");
    expect(text).toContain("title 'of net = sci'");
    expect(text).toContain("title 'T_{pp} for net = myri'");
    expect(script(latencies, { attributes: { title: "Ping" }, inputs })).toContain("set title 'Ping (np = 2)'\n");
  });

  test.each([
    ["input_id", "comb avg"],
    ["value", "t"],
    ["parameter", "net = a''b"],
    ["empty", ""],
  ])("labels an input by %s", (label, title) => {
    expect(script([vectorOf([size, time], [[1, 2]], ["net = 'a'b'"], "comb.avg")], { inputs: [{ label }] })).toContain(
      `title '${title.replace("a''b", "''a''b''")}'`,
    );
  });

  test("names texts and timestamps on the axis", () => {
    const when = shownColumn("when", "parameter", "date");
    expect(
      script([
        vectorOf(
          [when, time],
          [
            [20000, 1],
            [20001, 2],
          ],
        ),
      ]),
    ).toContain("set xtics ('2024-10-04' 0,'2024-10-05' 1)\n");
    expect(ofOut(script([vectorOf([when, time], [[20000, 1]])])).at(-2)).toMatch(/^plot/);
  });

  test("thins out names of many categories", () => {
    const net = shownColumn("net", "parameter", "string");
    const rows = Array.from({ length: 40 }, (_, at) => [`n${at}`, at]);
    expect(script([vectorOf([net, time], rows)]).match(/'n\d+' \d+/g)).toHaveLength(14);
    expect(script([vectorOf([net, time], rows)], { attributes: { ntics: "4" } }).match(/'n\d+' \d+/g)).toHaveLength(4);
  });

  test("supports format, colour, size of fonts and elements, tics", () => {
    const attributes = { format: "pdf", color: "no", fontsize: "large", elements: "small" };
    const text = script(latencies, { attributes, tics: [{ axis: "y", value: '0, 5, "ten" 10' }], base: "p" });
    expect(text).toContain("set terminal pdfcairo enhanced monochrome font 'Helvetica,16'\n");
    expect(text).toContain("set ytics (0, 5, 'ten' 10)\n");
    expect(text).toContain("lw 1 ps 1");
    expect(gnuplot.show(shownOf(latencies, { attributes, base: "p" }))).toMatchObject({ picture: "p.pdf" });
  });

  test.each([
    [{ format: "gif" }, "there is no format 'gif'"],
    [{ type: "pie" }, "there is no type 'pie'"],
    [{ style: "x; !rm" }, "there is no style 'x; !rm'"],
    [{ fontsize: "1e9" }, "there is no font size '1e9'"],
    [{ dimensions: "4" }, "not of '4'"],
    [{ errors: "xdelta" }, "no error bars 'xdelta'"],
    [{ errors: "constructor" }, "no error bars 'constructor'"],
    [{ elements: "constructor" }, "no elements 'constructor'"],
    [{ fontsize: "constructor" }, "no font size 'constructor'"],
    [{ format: "__proto__" }, "there is no format '__proto__'"],
    [{ type: "constructor" }, "there is no type 'constructor'"],
  ])("rejects %j", (attributes, problem) => {
    expect(() => script(latencies, { attributes })).toThrow(problem);
  });

  test("writes no image without rows", () => {
    const product = gnuplot.show(shownOf([vectorOf([size, time], [])], { attributes: { format: "eps" }, base: "p" }));
    expect(product).not.toHaveProperty("picture");
    expect(product.kind === "data" ? product.data : "").toContain("# no input has a row\n");
  });

  test("rejects non-numeric results", () => {
    expect(() => script([vectorOf([size, shownColumn("host", "result", "string")], [[1, "a"]])])).toThrow(
      "cannot be plotted",
    );
  });
});
