import { describe, expect, it } from "vitest";
import { outliers } from "./robust-statistics.ts";

const rules = (values: readonly number[], isPerun = false): (string | null)[] =>
  outliers(Float64Array.from(values), isPerun).map((each) => each.rule);

describe("outliers", () => {
  it("finds nothing where nothing stands out, or where all are equal", () => {
    expect(rules([-2, -1, 0, 1, 2])).toEqual([null, null, null, null, null]);
    expect(rules([0, 0, 0])).toEqual([null, null, null]);
    expect(rules([])).toEqual([]);
  });

  it("has the z-score of Iglewicz and Hoaglin", () => {
    const [least, , , , greatest] = outliers(Float64Array.of(1, 2, 3, 4, 100), false);
    expect(greatest?.rule).toBe("z");
    expect(greatest?.z).toBeCloseTo(0.6745 * 97, 10);
    expect(least?.rule).toBe(null);
    expect(least?.z).toBeCloseTo(-1.349, 10);
  });

  it("looks at quartiles and deviations of what is left", () => {
    const found = outliers(Float64Array.of(-4, -3, -2, -1, 0, 1, 2, 3, 9.5), false);
    expect(found.at(-1)).toMatchObject({ rule: "iqr" });
    expect(found.at(-1)?.ranges).toBeCloseTo(7.5 / 4, 10);
    expect(outliers(Float64Array.of(1, 1, 1, 1, 1, 1, 1.5), true).at(-1)?.rule).toBe("z");
  });

  it("measures deviations from no change: what moved by as much as all others moved as well", () => {
    expect(rules([5, 5.1, 4.9, 5])).toEqual(["deviation", "deviation", "deviation", "deviation"]);
  });

  it("takes the mean distance where more than half are equal, unless Perun's infinity is wanted", () => {
    const values = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1];
    expect(rules(values).slice(-2)).not.toContain("z");
    expect(rules(values, true).slice(-2)).toEqual(["z", "z"]);
  });
});
