import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rendererContract } from "../../../test/contracts/renderer.ts";
import { figures } from "../../../test/gallery/figures.ts";
import type { Figure, TableBlock } from "../../core/figures/figure.ts";
import { displayWidth } from "../../core/text/terminal-text.ts";
import { csv } from "./csv.ts";
import { gnuplot } from "./gnuplot.ts";
import { project } from "./drawing/svg/projection.ts";
import { flameHash, flameScript } from "./drawing/svg/flame-script.ts";
import { rotationHash, rotationScript, html } from "./html.ts";
import { json } from "./json.ts";
import { latex } from "./latex.ts";
import { markdown } from "./markdown.ts";
import { png } from "./png.ts";
import type { Renderer, RenderOptions } from "./renderer.ts";
import { svg } from "./svg.ts";
import { renderText, text } from "./text.ts";
import { themeOf } from "./drawing/theme.ts";

const fontFile = fileURLToPath(new URL("../../../assets/fonts/DejaVuSans.ttf", import.meta.url));
const terminal: RenderOptions = { width: 80, height: 24, color: false, dark: false, unicode: true };
const picture: RenderOptions = { ...terminal, width: 400, height: 300, fontFile };
const hostile = figures["hostile"] as Figure;

rendererContract(text, terminal, true);
rendererContract(svg, picture, true);
rendererContract(png, picture, true);
rendererContract(html, picture, true);
rendererContract(csv, terminal, false);
rendererContract(json, terminal, false);
rendererContract(gnuplot, terminal, true);
rendererContract(markdown, terminal, false);
rendererContract(latex, terminal, false);

async function shown(renderer: Renderer, figure: Figure, values: [string, boolean][] = []): Promise<string> {
  return String(await renderer.render(figure, picture, new Map(values)));
}

describe("instants", () => {
  const chart = figures["time-axis"] as Figure;

  it("are read back as UTC from tables and scripts", async () => {
    expect(await shown(csv, chart)).toContain("host 2,2026-01-28 02:32:00,2");
    expect(await shown(gnuplot, chart)).toContain(`set xtics ('2026-01-29' ${Date.UTC(2026, 0, 29) / 1000}, `);
  });

  it("are in the tooltips of a page, with the numbers of the series", async () => {
    const titles = [...(await shown(html, chart)).matchAll(/<title>(host 2: [^<]*)<\/title>/g)].map(([, text]) => text);
    expect(titles).toContain("host 2: 2 at 2026-01-29 02:32:00");
    // Nine points in the wide and in the narrow picture.
    expect(titles).toHaveLength(18);
  });
});

function tableFigure(rows: string[][], head = rows[0]?.map((_, i) => `c${i}`) ?? []): Figure {
  const columns = head.map((label, i) => ({ label, align: i === 0 ? ("left" as const) : ("right" as const) }));
  return { title: "", blocks: [{ kind: "table", head: columns, rows }] };
}

/** Bars on a log axis, each with an interval from -1 to 9. */
function logBars(values: number[]): Figure {
  const of = (number: (i: number) => number): Float64Array => Float64Array.from(values, (_, i) => number(i));
  const series = {
    label: "s",
    axis: 0 as const,
    x: of((i) => i),
    y: Float64Array.from(values),
    low: of(() => -1),
    high: of(() => 9),
  };
  const categories = values.map((_, i) => String.fromCharCode(97 + i));
  const x = { label: "x", scale: "category" as const, categories };
  return {
    title: "",
    blocks: [{ kind: "chart", mark: "bars", x, y: [{ label: "y", scale: "log" }], series: [series] }],
  };
}

describe("text", () => {
  it("aligns, truncates the widest text column and keeps numbers complete", () => {
    const lines = renderText(
      tableFigure([
        ["a long name that does not fit", "12345.678"],
        ["日本語", "7"],
      ]),
      { ...terminal, width: 24 },
    );
    expect(lines.split("\n")).toEqual([
      "c0                    c1",
      "─────────────  ─────────",
      "a long…ot fit  12345.678",
      "日本語                 7",
      "",
    ]);
  });

  it("omits optional columns from the last on before it truncates, and never truncates `whole` columns", () => {
    const head = [
      { label: "verdict", align: "left", whole: true },
      { label: "name", align: "left" },
      { label: "interval", align: "right", spare: true },
      { label: "after", align: "right" },
      { label: "q", align: "right", spare: true },
    ] as const;
    const rows = [["inconclusive", "a name of some length", "1 … 2", "7 s", "0.05"]];
    const lines = (width: number): string[] =>
      renderText({ title: "", blocks: [{ kind: "table", head, rows }] }, { ...terminal, width }).split("\n");
    expect(lines(80)[2]).toBe("inconclusive  a name of some length     1 … 2    7 s  0.05");
    expect(lines(55)[2]).toBe("inconclusive  a name of some length     1 … 2    7 s");
    expect(lines(45)[2]).toBe("inconclusive  a name of some length    7 s");
    expect(lines(34)[2]).toBe("inconclusive  a name…length    7 s");
    expect(lines(20)[2]).toBe("inconclusive  a na…gth    7 s");
  });

  it("pads no line to one very long name, and truncates nothing, without a width limit", () => {
    const endless = `<${"界".repeat(50_000)}>`;
    const rows = [
      ["a usual name", "1"],
      [endless, "2"],
      ["a", "3"],
    ];
    const lines = renderText(tableFigure(rows), { ...terminal, width: Number.POSITIVE_INFINITY }).split("\n");
    expect(lines.slice(0, 3)).toEqual(["c0            c1", "────────────  ──", "a usual name   1"]);
    expect(lines.slice(3)).toEqual([`${endless}   2`, "a              3", ""]);
    const fitted = renderText(
      tableFigure([
        ["a", "1"],
        [endless, "2"],
      ]),
      { ...terminal, width: 40 },
    ).split("\n");
    expect(fitted.map(displayWidth)).toEqual([40, 40, 40, 40, 0]);
    expect(fitted[3]).toMatch(/^<界+…界+> +2$/);
  });

  it("never writes control characters, nor lines beyond the width when all columns can be truncated", () => {
    const cell = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 30, max: 90 }),
        (rows, width) => {
          const head = ["a", "b", "c"].map((label) => ({ label, align: "left" as const }));
          const lines = renderText(
            { title: "", blocks: [{ kind: "table", head, rows }] },
            { ...terminal, width },
          ).split("\n");
          expect(lines).toHaveLength(rows.length + 3);
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
          // oxlint-disable-next-line no-control-regex -- controls are what must be gone
          expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        },
      ),
    );
  });

  it("writes ASCII only if required", () => {
    for (const figure of Object.values(figures))
      expect(renderText(figure, { ...terminal, unicode: false })).toMatch(/^[\n\x20-\x7e]*$/);
  });

  it("colours only when allowed", () => {
    const figure = figures["two-axes"] as Figure;
    expect(renderText(figure, terminal)).not.toContain("\x1b");
    // oxlint-disable-next-line no-control-regex -- the colours are escape sequences
    expect(renderText(figure, { ...terminal, color: true }).replace(/\x1b\[(?:38;5;\d+|39)m/g, "")).toBe(
      renderText(figure, terminal),
    );
  });

  it("draws charts no wider than the terminal", () => {
    for (const width of [30, 47, 120]) {
      for (const [name, figure] of Object.entries(figures)) {
        if (name === "hostile") continue;
        for (const line of renderText(figure, { ...terminal, width }).split("\n"))
          expect(displayWidth(line), `${name} at ${width}: ${line}`).toBeLessThanOrEqual(width);
      }
    }
  });
});

describe("csv", () => {
  it("quotes according to RFC 4180", async () => {
    expect(
      await shown(
        csv,
        tableFigure([
          ['say "x"', "1"],
          ["a,b\nc", " 2"],
        ]),
      ),
    ).toBe('c0,c1\r\n"say ""x""",1\r\n"a,b\nc"," 2"\r\n');
  });

  it("reads back cell by cell", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string({ minLength: 1 })), { minLength: 1, maxLength: 5 }),
        async (rows) => {
          expect(parseCsv(await shown(csv, tableFigure(rows))).slice(1)).toEqual(rows);
        },
      ),
    );
  });

  it("escapes formulas for spreadsheets, but not numbers", async () => {
    const cells = ["=1+1", "+a", "-2.5e3", "-cmd", "@x", "plain", "+7"];
    const answer = await shown(csv, tableFigure(cells.map((cell) => [cell])), [["for-spreadsheet", true]]);
    expect(answer.split("\r\n").slice(1, -1)).toEqual(["'=1+1", "'+a", "-2.5e3", "'-cmd", "'@x", "plain", "+7"]);
    expect(await shown(csv, tableFigure([["=1+1"]]))).toContain("\r\n=1+1");
  });

  it("hides binary rounding errors", async () => {
    expect((await shown(csv, logBars([7.1555729999999995, 0.1]))).split("\r\n").slice(1, 3)).toEqual([
      "s,a,7.155573,-1,9",
      "s,b,0.1,-1,9",
    ]);
  });

  it("writes the points of a chart", async () => {
    const lines = (await shown(csv, figures["error-bars"] as Figure)).split("\r\n");
    expect(lines.slice(0, 2)).toEqual(["series,S_message [KiByte],B_copy [MiByte/s],low,high", "memcpy,1,410,320,455"]);
    expect(lines).toHaveLength(14);
  });
});

/** A parser of RFC 4180 for the test. */
function parseCsv(csvText: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const rows: string[][] = [[]];
  for (let match = cell.exec(csvText); match !== null; match = cell.exec(csvText)) {
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === "\r\n" && cell.lastIndex < csvText.length) rows.push([]);
  }
  return rows;
}

describe("log axes", () => {
  it("print intervals, and report omitted points", async () => {
    const figure = logBars([3, 0, -1]);
    const lines = (await shown(text, figure)).trimEnd().split("\n");
    expect(lines.find((line) => line.startsWith("a "))).toContain("3 (-1 to 9)");
    expect(lines.at(-1)).toBe("2 points have no logarithm");
    for (const renderer of [svg, html])
      expect(await shown(renderer, figure)).toContain(">2 points have no logarithm</text>");
    expect(await shown(svg, logBars([3]))).not.toContain("logarithm");
  });
});

describe("markup", () => {
  it("gives a page without a title a default one, but no empty heading", async () => {
    const page = await shown(html, { ...tableFigure([["1"]]), title: "" });
    expect(page).toContain("<title>perfkeep</title>");
    expect(page).not.toContain("<h1>");
    expect(await shown(html, { ...tableFigure([["1"]]), title: "net: rate" })).toContain("<h1>net: rate</h1>");
  });

  it.each([svg, html])("$name escapes tags, entities and control characters of the data", async (renderer) => {
    const markup = (await shown(renderer, hostile)).replace(`<script>${rotationScript}</script>`, "");
    for (const bad of ["<script", "<b>", "<img", "</text>&", "\u202e", "\x07", "\x1b", "\u0000"])
      expect(markup).not.toContain(bad);
    expect(markup.match(/<\/svg>/g)?.length).toBe(renderer === svg ? 2 : 6);
  });

  it("svg is well-formed and numbers its definitions by block", async () => {
    for (const figure of Object.values(figures)) {
      const markup = await shown(svg, figure);
      expect(tagsLeftOpen(markup)).toEqual([]);
      expect(markup).not.toMatch(/\bzr\d/);
      expect(markup.replace(flameScript, "")).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it("markdown escapes hostile cells", async () => {
    const lines = (await shown(markdown, tableFigure([["a|b", "`x` <i> *y*"]]))).split("\n");
    expect(lines).toEqual(["| c0 | c1 |", "| --- | ---: |", "| a\\|b | \\`x\\` &lt;i\\> \\*y\\* |", ""]);
  });

  it("markdown fences text with more backticks than it contains", async () => {
    const figure: Figure = { title: "", blocks: [{ kind: "text", text: "````\nx" }] };
    expect(await shown(markdown, figure)).toBe("`````text\n````\nx\n`````\n");
  });
});

/** Names of elements that are not closed in order. */
function tagsLeftOpen(markup: string): string[] {
  const open: string[] = [];
  for (const [, slash, name, end] of markup.matchAll(/<(\/?)([a-zA-Z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (slash === "/") {
      if (open.pop() !== name) return [`</${name}>`];
    } else if (end !== "/") open.push(name ?? "");
  }
  return open;
}

describe("json", () => {
  it("contains a schema, units as strings and null for non-finite numbers", async () => {
    const document = JSON.parse(await shown(json, hostile));
    expect(document).toMatchObject({ schema: "perfkeep.figure/2", title: hostile.title });
    expect(document.blocks[1].rows).toEqual((hostile.blocks[1] as TableBlock).rows);
    expect(document.blocks[2].series[0].y).toEqual([1, 2, null, 3]);
    expect(JSON.parse(await shown(json, figures["error-bars"] as Figure)).blocks[0].y[0].unit).toBe("MiByte/s");
  });
});

describe("gnuplot", () => {
  it("contains data as numbers and quoted text, which never leaves its line", async () => {
    const lines = (await shown(gnuplot, hostile)).split("\n");
    expect(lines).toContain("set ylabel ' ''y'' \u202e'");
    expect(lines.filter((line) => line.includes("script"))).toEqual([
      "# </svg><script>alert(1)</script>",
      "set title '<script>alert(2)</script>'",
    ]);
  });

  it("sets the width of bars, shared axis ranges and labels of powers of two", async () => {
    const bars = await shown(gnuplot, figures["mixed-marks"] as Figure);
    expect(bars).toContain("using 1:2:3:4:(0.400000) axes x1y1 title 'read' with boxerrorbars");
    const several = await shown(gnuplot, figures["small-multiples"] as Figure);
    expect(several.match(/set yrange \[0:6000\]/g)).toHaveLength(3);
    expect(several).toContain("set multiplot layout 2,2");
    expect(await shown(gnuplot, figures["powers-of-two"] as Figure)).toContain(
      "set logscale x 2\nset format x '%.0b %BB'",
    );
  });
});

describe("png", () => {
  it("has two device pixels per pixel", async () => {
    const bytes = (await png.render(figures["bars"] as Figure, picture, new Map())) as Uint8Array;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    expect([...bytes.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([800, 600]);
  });

  it.each([undefined, "/nowhere/font.ttf"])("fails instead of omitting text when the font is %s", async (path) => {
    const { fontFile: _, ...rest } = picture;
    const options = path === undefined ? rest : { ...rest, fontFile: path };
    await expect(png.render(figures["bars"] as Figure, options, new Map())).rejects.toMatchObject({
      code: "font-missing",
    });
  });
});

describe("surfaces in a page", () => {
  it("contain the one script that the policy allows; pages without surfaces contain none", async () => {
    const page = await shown(html, figures["surface"] as Figure);
    expect(rotationHash).toBe(`sha256-${createHash("sha256").update(rotationScript).digest("base64")}`);
    expect(page).toContain(`script-src '${rotationHash}'`);
    expect(page.match(/<script/g)).toEqual(["<script"]);
    expect(await shown(html, figures["bars"] as Figure)).not.toContain("script");
  });

  it("pages of flame graphs run their script and no other", async () => {
    const page = await shown(html, figures["flame-graph"] as Figure);
    expect(flameHash).toBe(`sha256-${createHash("sha256").update(flameScript).digest("base64")}`);
    expect(page).toContain(`script-src '${flameHash}'`);
    expect(page.match(/<script>/g)).toEqual(["<script>"]);
    expect(page).toContain("&#60;script&#62;alert(&#34;1 &#38; 2&#34;)");
    expect(flameScript).not.toContain("]]>");
  });

  it("rotate with the arrow keys in the same projection", async () => {
    const shapes = [
      new FakeShape("polygon", { p: "0,0,0 1,0,0.5" }),
      new FakeShape("text", { p: "0,1,0", o: "-3,13" }),
    ];
    const faces = [new FakeShape("polygon", { i: "0", j: "0" }), new FakeShape("polygon", { i: "1", j: "1" })];
    const quarters = ["0", "1", "2", "3"].map((quarter) => new FakeShape("g", { quarter }));
    const press = rotationKeys(shapes, faces, quarters);
    for (let i = 0; i < 14; i++) press("ArrowRight");
    press("ArrowUp");
    const view = { yaw: 100, pitch: 35, size: 300, left: 400, top: 250 };
    const [[x1, y1], [x2, y2]] = (
      [
        [0, 0, 0],
        [1, 0, 0.5],
      ] as const
    ).map((position) => project(position, view)) as [[number, number], [number, number]];
    const points = String(shapes[0]?.attributes.get("points")).split(/[ ,]/).map(Number);
    [x1, y1, x2, y2].forEach((pixel, i) => expect(points[i]).toBeCloseTo(pixel, 6));
    const [x, y] = project([0, 1, 0], view);
    expect(Number(shapes[1]?.attributes.get("x"))).toBeCloseTo(x - 3, 6);
    expect(Number(shapes[1]?.attributes.get("y"))).toBeCloseTo(y + 13, 6);
    expect(quarters.map(({ attributes }) => attributes.get("display"))).toEqual(["none", "inline", "none", "none"]);
    for (let i = 0; i < 20; i++) press("ArrowLeft");
    expect(quarters[0]?.attributes.get("display")).toBe("inline");
  });
});

class FakeShape {
  readonly localName: string;
  readonly dataset: Readonly<Record<string, string>>;
  readonly attributes: Map<string, unknown> = new Map();

  constructor(localName: string, dataset: Readonly<Record<string, string>>) {
    this.localName = localName;
    this.dataset = dataset;
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, value);
  }
}

/** Runs the script on a page of these shapes; returns a function that presses a key. */
function rotationKeys(shapes: FakeShape[], faces: FakeShape[], quarters: FakeShape[]): (key: string) => void {
  const listeners = new Map<string, (event: unknown) => void>();
  const picture = {
    style: {},
    setAttribute: () => {},
    addEventListener: (name: string, act: (event: unknown) => void) => listeners.set(name, act),
  };
  const found: Readonly<Record<string, FakeShape[]>> = {
    "[data-p]": shapes,
    "[data-e]": [],
    "[data-quarter]": quarters,
  };
  const box = {
    dataset: { turns: "400,250,300,0.65" },
    closest: () => picture,
    querySelector: () => ({ children: faces, append: () => {} }),
    querySelectorAll: (selector: string) => found[selector],
  };
  runInNewContext(rotationScript, { document: { querySelectorAll: () => [box] } });
  return (key) => listeners.get("keydown")?.({ key, preventDefault: () => {} });
}

describe("latex", () => {
  it("escapes commands in tables and text", async () => {
    const tex = await shown(latex, hostile);
    expect(tex).toContain("\\begin{tabular}{lr}");
    expect(tex).toContain("=HYPERLINK(\\textquotedbl{}http://x\\textquotedbl{}) & $-1.5$ \\\\");
    const foreign = tex.replaceAll(
      /\\(?:begin|end)\{tabular\}(?:\{[lr]+\})?|\\(?:top|mid|bottom)rule|\\text\w+\{\}|\\[#$%&_{}\\]/g,
      "",
    );
    expect(foreign).not.toMatch(/\\|\p{Cc}(?<!\n)/u);
  });
});

describe("stacked and horizontal bars", () => {
  it("writes series values in tables, and totals at the end of stacks", async () => {
    const figure = figures["lying-bars"] as Figure;
    expect(await shown(csv, figure)).toContain("calloc,main,900000");
    expect(await shown(text, figure)).toMatch(/^main .* 1\.1e6$/m);
    expect(await shown(svg, figure)).toContain(">1.1e6</text>");
    expect(JSON.parse(await shown(json, figure)).blocks[0]).toMatchObject({ stacked: true, horizontal: true });
  });

  it("draws stacks from the top down in gnuplot scripts", async () => {
    const script = await shown(gnuplot, figures["areas"] as Figure);
    expect(script.indexOf("$d0_2 using")).toBeLessThan(script.indexOf("$d0_0 using"));
    expect(script).toContain("filledcurves y1=0");
    expect(script).toContain("8 185 185 185");
    expect(await shown(gnuplot, figures["heat-map"] as Figure)).toContain("with image pixels");
    expect(await shown(gnuplot, figures["lying-groups"] as Figure)).toMatch(/^-42 -0\.2 0 -42 -0\.4 0$/m);
  });
});

describe("dark", () => {
  it.each(Object.keys(figures).filter((name) => !name.startsWith("flame")))(
    "%s, drawn light, becomes by its rules for viewers that prefer it what is drawn dark",
    async (name) => {
      const [light, dark] = [themeOf(false), themeOf(true)];
      const drawn = async (isDark: boolean): Promise<string> =>
        String(await svg.render(figures[name] as Figure, { ...picture, dark: isDark }, new Map()));
      const [style = ""] = /<style>[^<]*<\/style>\n/.exec(await drawn(false)) ?? [];
      const rules = new Map(
        [...style.matchAll(/\[(\w+="#\w+")\] \{ (\w+): (#\w+); \}/g)].map(([, from = "", what, to]) => [
          from,
          `${what}="${to}"`,
        ]),
      );
      expect(rules.size).toBe(2 * (4 + light.palette.length));
      const shown = (await drawn(false))
        .replace(style, "")
        .replaceAll(/(?:fill|stroke)="#\w+"/g, (own) => rules.get(own) ?? own);
      expect(shown).toBe(await drawn(true));
      expect(dark.palette).toHaveLength(light.palette.length);
    },
  );

  it("a page of charts has separate pictures for narrow windows", async () => {
    const page = String(await html.render(figures["bars"] as Figure, { ...picture, width: 960 }, new Map()));
    expect(
      [...page.matchAll(/<div class="(\w+)"><svg [^>]*width="(\d+)"/g)].map(([, name, width]) => [name, width]),
    ).toEqual([
      ["wide", "960"],
      ["narrow", "360"],
    ]);
    expect(page).toContain("prefers-color-scheme: dark");
  });
});
