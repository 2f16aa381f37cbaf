import { expect, it } from "vitest";
import { sampleRun, viewContract } from "../../../test/contracts/view.ts";
import type { ChartBlock } from "../../core/figures/figure.ts";
import { JsonNumber, jsonObject, type Json } from "../../core/values/json.ts";
import type { Run } from "../../core/profiles/run.ts";
import type { Value, Values } from "../../core/values/value.ts";
import { scatter } from "./scatter.ts";

const options = (given: Readonly<Record<string, Value>>): Values => new Map(Object.entries(given));

viewContract(scatter, { default: new Map(), "one uid": options({ uid: "swap:7", per: "order" }) });

function model(name: string, rSquared: number, b0: number, b1: number, start: number, end: number): Json {
  const coefficient = (of: string, value: number): Json => jsonObject({ name: of, value: JsonNumber.float(value) });
  return jsonObject({
    uid: jsonObject({ function: "swap", line: JsonNumber.integer(7) }),
    model: name,
    r_square: JsonNumber.float(rSquared),
    x_start: JsonNumber.float(start),
    x_end: JsonNumber.float(end),
    coeffs: [coefficient("b0", b0), coefficient("b1", b1)],
  });
}

function charts(run: Run, given: Readonly<Record<string, Value>> = {}): ChartBlock[] {
  return scatter.draw(run, options({ per: "order", ...given })).blocks as ChartBlock[];
}

it("draws the points of each location, and its models, the best first", () => {
  const run = { ...sampleRun(), models: [model("constant", 0.2, 9, 0, 0, 2), model("linear", 1, 10.5, -1, 0, 2)] };
  const [chart, ...others] = charts(run);
  expect(others).toEqual([]);
  expect(chart).toMatchObject({ caption: "swap:7", x: { label: "order" }, y: [{ label: "amount" }] });
  expect(chart?.series.map(({ label, mark }) => [label, mark])).toEqual([
    ["measured", "points"],
    ["linear (r² 1)", undefined],
    ["constant (r² 0.2)", undefined],
  ]);
  expect([...(chart?.series[0]?.y ?? [])]).toEqual([10.5, 9.5, 8.5]);
  const line = chart?.series[1];
  expect([line?.x[0], line?.y[0], line?.x.at(-1), line?.y.at(-1)]).toEqual([0, 10.5, 2, 8.5]);
});

it("draws a curve over each interval of a model", () => {
  const run = { ...sampleRun(), models: [model("linear", 0.5, 1, 1, 0, 1), model("linear", 0.9, 2, 1, 1, 2)] };
  expect(
    charts(run)[0]
      ?.series.slice(1)
      .map(({ x }) => [x[0], x.at(-1)]),
  ).toEqual([
    [1, 2],
    [0, 1],
  ]);
});

it("omits locations beyond the limit, and reports it", () => {
  const blocks = scatter.draw(sampleRun(), options({ per: "amount", top: 1 })).blocks;
  expect(blocks).toMatchObject([{ kind: "chart" }, { kind: "text", text: expect.stringContaining("1 more") }]);
});

it.each([
  [{ uid: "unknown" }, "nothing-to-draw"],
  [{ per: "uid" }, "not-numbers"],
  [{ of: "nothing" }, "unknown-column"],
  [{ where: "amount>1e9" }, "nothing-to-draw"],
])("refuses %j with %s", (given, code) => {
  expect(() => charts(sampleRun(), given)).toThrowError(expect.objectContaining({ code }));
});
