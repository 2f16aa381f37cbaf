import { describe, expect, it } from "vitest";
import { isFailure } from "../../src/core/failures/failure.ts";
import type { Figure } from "../../src/core/figures/figure.ts";
import type { Renderer, RenderOptions } from "../../src/plugins/renderers/renderer.ts";
import { figures } from "../gallery/figures.ts";

const nothing: Figure = {
  title: "nothing",
  blocks: [
    {
      kind: "chart",
      mark: "line",
      x: { label: "x", scale: "linear" },
      y: [{ label: "y", scale: "log" }],
      series: [{ label: "s", axis: 0, x: Float64Array.of(1, 2), y: Float64Array.of(Number.NaN, -1) }],
    },
  ],
};

const axis = { label: "a", scale: "log" } as const;
const emptySurface: Figure = {
  title: "nothing",
  blocks: [
    {
      kind: "surface",
      x: axis,
      y: axis,
      z: axis,
      xs: Float64Array.of(1, 0),
      ys: Float64Array.of(1),
      zs: Float64Array.of(0, 5),
    },
  ],
};

/** Nothing has to fit, no colours. */
const paper: RenderOptions = { width: Number.POSITIVE_INFINITY, height: 24, color: false, dark: false, unicode: true };

/** What every renderer does. `draws` is false for media that write the numbers of a chart instead of drawing it. */
export function rendererContract(renderer: Renderer, options: RenderOptions = paper, draws = false): void {
  describe(`renderer ${renderer.name}`, () => {
    it("is frozen and says what it makes", () => {
      expect(Object.isFrozen(renderer)).toBe(true);
      expect(renderer.mediaType).toMatch(/^[a-z]+\/[a-z+]+/);
      expect(renderer.extension).toMatch(/^[a-z0-9]+$/);
    });

    it.each(Object.keys(figures))("renders %s, the same each time, and leaves it alone", async (name) => {
      const figure = figures[name] as Figure;
      const before = JSON.stringify(figure);
      const first = await renderer.render(figure, options, new Map());
      expect(first.length).toBeGreaterThan(0);
      expect(await renderer.render(figure, options, new Map())).toEqual(first);
      expect(JSON.stringify(figure)).toBe(before);
    });

    it("renders a figure without blocks and a table without rows", async () => {
      const empty: Figure = { title: "", blocks: [{ kind: "table", head: [{ label: "a", align: "left" }], rows: [] }] };
      expect(String(await renderer.render({ title: "", blocks: [] }, options, new Map()))).toBeTypeOf("string");
      expect((await renderer.render(empty, options, new Map())).length).toBeGreaterThan(0);
    });

    it.runIf(draws).each([nothing, emptySurface])("refuses %j, which has not a single point", async (figure) => {
      const error: unknown = await renderer.render(figure, options, new Map()).catch((reason: unknown) => reason);
      expect(isFailure(error, "nothing-to-draw")).toBe(true);
    });
  });
}
