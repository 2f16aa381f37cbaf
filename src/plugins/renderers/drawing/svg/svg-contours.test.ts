import { describe, expect, it } from "vitest";
import { figures } from "../../../../../test/gallery/figures.ts";
import { drawableSurface } from "../../../../core/figures/index.ts";
import type { Figure, SurfaceBlock } from "../../../../core/figures/figure.ts";
import { gnuplot } from "../../gnuplot.ts";
import { html } from "../../html.ts";
import type { Renderer } from "../../renderer.ts";
import { svg } from "../../svg.ts";

const paper = { width: 400, height: 300, color: false, dark: false, unicode: true };

async function shown(renderer: Renderer, figure: Figure): Promise<string> {
  return String(await renderer.render(figure, paper, new Map()));
}

describe("contours", () => {
  const contoursOf = (name: string): SurfaceBlock => figures[name]!.blocks[0] as SurfaceBlock;

  it("label every level in the colour bar, and fill the steps with the colours of the areas", async () => {
    const picture = await shown(svg, figures["contours"] as Figure);
    for (const level of [0, 100, 200, 300, 400, 500, 600, 700, 800]) expect(picture).toContain(`>${level}</text>`);
    const colorsOf = (tag: string): Set<string> =>
      new Set([...picture.matchAll(new RegExp(`<${tag}[^>]* fill="(#[0-9a-f]{6})"`, "g"))].map(([, color]) => color!));
    const areas = [...colorsOf("path")];
    expect(areas).toHaveLength(7);
    for (const color of areas) expect(colorsOf("rect")).toContain(color);
  });

  it("and heat maps show the numbers of each point below the pointer, unless they are very many", async () => {
    for (const name of ["contours", "heat-map"]) {
      const known = drawableSurface(contoursOf(name)).heights.flat().filter(Number.isFinite).length;
      const titles = [...(await shown(svg, figures[name] as Figure)).matchAll(/<title>([^<]*)<\/title>/g)];
      expect(known).toBeGreaterThan(5);
      expect(titles, name).toHaveLength(known);
      expect(titles[0]?.[1]).toMatch(/ [-0-9.]+.* at .+, .+$/);
    }
    expect(await shown(svg, figures["heat-map-dense"] as Figure)).not.toContain("<title>");
  });

  it("need three neighbouring points", async () => {
    const few = { ...contoursOf("surface-of-few"), flat: true, contours: "filled" } as const;
    await expect(shown(svg, { title: "", blocks: [few] })).rejects.toThrow(/no three neighbouring points of n and m/);
  });

  it("have no script in a page, and the same levels in gnuplot", async () => {
    expect(await shown(html, figures["contours"] as Figure)).not.toContain("<script>");
    const lines = await shown(gnuplot, figures["contour-lines"] as Figure);
    expect(lines).toContain("set cntrparam levels discrete 0,100,200,300,400,500,600,700,800\n");
    const picture = await shown(svg, figures["contours"] as Figure);
    const [, color] = /height="[\d.]+" fill="(#[0-9a-f]{6})"/.exec(picture) ?? [];
    const filled = await shown(gnuplot, figures["contours"] as Figure);
    expect(filled).toContain(`set palette defined (0 '${color}', 0.125 '${color}', 0.125 '#`);
  });

  it("do not claim to leave out points that heat maps and contours draw", async () => {
    const dense = { ...contoursOf("surface-dense"), flat: true } as const;
    expect(await shown(svg, { title: "", blocks: [contoursOf("surface-dense")] })).toContain("100 by 28 of 130 by 28");
    expect(await shown(svg, { title: "", blocks: [dense] })).not.toContain("points shown");
  });
});
