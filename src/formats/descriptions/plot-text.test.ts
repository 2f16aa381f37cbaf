import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  errorBars,
  plotProblem,
  plotScales,
  plotStyles,
  plotTypes,
  type PlotDescription,
} from "../../core/experiments/plot-description.ts";
import { printPlot, readPlot } from "./plot-text.ts";

const name = fc.oneof(
  fc.constantFrom("B_copy", "S_message", "typed", "@run", "a=b", 'x "y"'),
  fc.string({ minLength: 1, unit: "binary" }),
);
const text = fc
  .oneof(fc.constantFrom("a title", '"quoted"', "# no remark", "two\nlines"), fc.string({ unit: "binary" }))
  .filter((each) => each.trim() !== "");
const axisOptions = fc.record(
  { scale: fc.constantFrom(...plotScales), label: name, from: name, to: name },
  { requiredKeys: [] },
);
const axis = fc.tuple(name, axisOptions).map(([own, more]) => ({ name: own, ...more }));
const result = fc.record(
  {
    name,
    statistic: fc.constantFrom("mean", "q95", "q0.1", "none", "max"),
    errors: fc.constantFrom(...errorBars),
    axis: fc.constantFrom("left" as const, "right" as const),
    style: fc.constantFrom(...plotStyles),
    label: name,
  },
  { requiredKeys: ["name"] },
);
const plots: fc.Arbitrary<PlotDescription> = fc
  .record(
    {
      type: fc.constantFrom(...plotTypes),
      experiment: text,
      title: text,
      comment: text,
      results: fc.array(result, { minLength: 1, maxLength: 3 }),
      x: axis,
      y: axis,
      series: fc.array(name, { maxLength: 2 }),
      plots: fc.array(name, { maxLength: 2 }),
      into: fc.constantFrom("document" as const, "files" as const),
      where: fc.array(text, { maxLength: 2 }),
      commits: fc.array(name, { maxLength: 2 }),
      runs: fc.array(fc.nat(), { maxLength: 2 }),
      left: axisOptions,
      right: axisOptions,
      z: axisOptions,
      legend: fc.boolean(),
    },
    { requiredKeys: ["results", "x", "series", "plots", "where", "commits", "runs"] },
  )
  .filter((plot) => plotProblem(plot) === undefined);

const refused = (text: string): unknown => {
  try {
    return readPlot(text, "p.plot");
  } catch (error) {
    return (error as Error).message;
  }
};

describe("descriptions of plots", () => {
  it("are read with the keywords of the original design and new ones", () => {
    const read = readPlot(
      [
        "# the original design",
        "TYPE 2D-param",
        "EXPERIMENT net",
        "TITLE Bandwidth of  everything",
        "RESULT B_copy min max average quantile=0.95 label=B",
        'PARAMETER S_message scale=log2 from=1KiByte label="size of a message"',
        "series N_threads",
        "FIX host=node 7",
        "WHERE S_message in 1,2",
        "PLOTS op mode into=files",
        "COMMIT main~3..main",
        "RUN 3 4",
        "AXIS left scale=log to=8GiByte/s",
        "LEGEND no",
      ].join("\n"),
      "p.plot",
    );
    expect(read).toEqual({
      type: "2D-param",
      experiment: "net",
      title: "Bandwidth of  everything",
      results: ["min", "max", "mean", "q95"].map((statistic) => ({ name: "B_copy", statistic, label: "B" })),
      x: { name: "S_message", scale: "log2", from: "1KiByte", label: "size of a message" },
      series: ["N_threads"],
      where: ["host=node 7", "S_message in 1,2"],
      plots: ["op", "mode"],
      into: "files",
      commits: ["main~3..main"],
      runs: [3, 4],
      left: { scale: "log", to: "8GiByte/s" },
      legend: false,
    });
  });

  it("read back as printed", () => {
    fc.assert(
      fc.property(plots, (plot) => {
        expect(readPlot(printPlot(plot), "p.plot")).toEqual(plot);
      }),
    );
  });

  it.each([
    ["RESULT B mni\nX a", "p.plot:1:10: 'mni' is not a statistic, did you mean min?"],
    ["RESULT B stlye=lines\nX a", "p.plot:1:10: RESULT has no descriptor 'stlye', did you mean style?"],
    ["RESULT B\nX a scale=log3", "p.plot:2:5: scale 'log3' is neither"],
    ["REZULT B", "p.plot:1:1: unknown keyword 'REZULT', did you mean RESULT?"],
    ["TYPE 4D", "p.plot:1:6: TYPE '4D' is not known"],
    ["TYPE 2D\nRESULT B\nRESULT C\nX a", "p.plot:1:1: a plot of type 2D has one result, not 2"],
    ["TYPE 2D-multi\nRESULT B\nX a", "p.plot:1:1: a plot of type 2D-multi has two results, not 1"],
    ["\nTYPE 2D-param\nRESULT B\nX a", "p.plot:2:1: a plot of type 2D-param needs a parameter"],
    ["TYPE 3D\nRESULT B\nX a", "p.plot:1:1: a surface needs two parameters"],
    ["RESULT B\nX a\nY b\nAXIS right label=r", "p.plot:1:1: a surface has no left and right axis"],
    ["X a", "p.plot:1:1: there is no result to draw"],
    ["RESULT B", "p.plot:1:1: there is no parameter for the x axis"],
    ["", "p.plot:1:1: there is no result to draw"],
    ["RESULT B\nX a\nX b", "p.plot:3:1: X is given twice"],
    ["RESULT B\nX a\nPLOTS a b c", "p.plot:1:1: 3 parameters make series of plots"],
    ["RESULT B quantile=95\nX a", "p.plot:1:10: '95' is not a fraction between 0 and 1"],
    ["RESULT B none errors=stddev\nX a", "p.plot:1:1: error bars need a statistic"],
    ["FIX N_proc 16", "p.plot:1:1: FIX needs a name and a value"],
    ["COMMIT", "p.plot:1:1: COMMIT needs a name"],
    ['TITLE "open', "p.plot:1:7: this quote is not closed"],
  ])("refuse %j", (text, message) => {
    expect(refused(text)).toContain(message);
  });

  it("fail only with a description error", () => {
    const words = fc.constantFrom(
      "TYPE",
      "RESULT",
      "X",
      "Y",
      "AXIS",
      "left",
      "3D",
      "B",
      "stat=",
      "quantile=",
      '"',
      "{",
      "=",
      "\n",
      " ",
      "label=",
      "none",
    );
    fc.assert(
      fc.property(
        fc.array(words).map((all) => all.join(" ")),
        (text) => {
          try {
            expect(plotProblem(readPlot(text, "f"))).toBeUndefined();
          } catch (error) {
            expect(error).toMatchObject({ code: "description-error" });
          }
        },
      ),
    );
  });
});
