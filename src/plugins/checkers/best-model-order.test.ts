import { describe, expect, it } from "vitest";
import { checkerContract, modelsScene } from "../../../test/contracts/checker.ts";
import { modelsRun } from "../../../test/contracts/model-runs.ts";
import type { Change } from "../../core/verdicts/change.ts";
import { bestModelOrder } from "./best-model-order.ts";

checkerContract(bestModelOrder, modelsScene(true));

type Fit = readonly [name: string, rSquared: number, exponent?: number];

function compare(before: readonly Fit[], after: readonly Fit[], compat?: string): Change | undefined {
  const run = (fits: readonly Fit[]): ReturnType<typeof modelsRun> =>
    modelsRun(
      fits.map(([model, rSquared, exponent = 1]) => ({
        model,
        rSquared,
        coefficients: [1, exponent],
        start: 1,
        end: 9,
      })),
    );
  return bestModelOrder.check(run(before), run(after), new Map(compat === undefined ? [] : [["compat", compat]]))[0];
}

describe("bestModelOrder", () => {
  it.each<[Fit, Fit, string, number]>([
    [["constant", 0.99], ["linear", 0.95], "Degradation", 2],
    [["exponential", 0.99], ["logarithmic", 0.95], "Optimization", -4],
    [["linear", 0.99], ["linear", 0.95], "NoChange", 0],
    [["linear", 0.99], ["exponential", 0.89], "NoChange", 0],
  ])("%j to %j is %s by %d", (before, after, result, rate) => {
    for (const compat of [undefined, "perun"]) {
      const confidence = { type: "r_square", rate: Math.min(before[1], after[1]) };
      expect(compare([before], [after], compat)).toMatchObject({
        result,
        rate,
        confidence,
        type: "model",
        from: before[0],
        to: after[0],
      });
    }
  });

  it("orders powers by exponent; Perun orders every power after the parabola", () => {
    expect(compare([["quadratic", 0.99]], [["power", 0.99, 1.95]])?.result).toBe("NoChange");
    expect(compare([["quadratic", 0.99]], [["power", 0.99, 3]])?.result).toBe("Degradation");
    expect(compare([["quadratic", 0.99]], [["power", 0.99, 1]])?.result).toBe("Optimization");
    expect(compare([["quadratic", 0.99]], [["power", 0.99, 1]], "perun")).toMatchObject({
      result: "Degradation",
      rate: 1,
    });
  });

  it("prefers a simpler formula at nearly equal R²; Perun does not", () => {
    const line: Fit[] = [
      ["linear", 0.99],
      ["quadratic", 0.989],
    ];
    const parabola: Fit[] = [
      ["linear", 0.99],
      ["quadratic", 0.9901],
    ];
    expect(compare(line, parabola)).toMatchObject({ result: "NoChange", to: "linear" });
    expect(compare(line, parabola, "perun")).toMatchObject({ result: "Degradation", to: "quadratic" });
  });
});
