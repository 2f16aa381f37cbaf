import { renderAsync, Resvg, type ResvgRenderOptions } from "@resvg/resvg-js";
import { Failure } from "../../core/failures/index.ts";
import type { Figure } from "../../core/figures/index.ts";
import { svgFigure } from "./drawing/svg/svg-figure.ts";
import type { FontFile, Renderer, RenderOptions } from "./renderer.ts";

/**
 * A figure as a PNG image with two device pixels per pixel. Deterministic on every machine: uses only the given font,
 * except for characters that it lacks, such as those of Chinese, Japanese and Korean.
 */
export const png = Object.freeze<Renderer>({
  kind: "renderer",
  name: "png",
  synopsis: "PNG picture",
  options: [],
  mediaType: "image/png",
  extension: "png",
  render: renderPng,
});

const probe = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="15">M</text></svg>';

async function renderPng(figure: Figure, options: RenderOptions): Promise<Uint8Array> {
  const { fontFile } = options;
  if (fontFile === undefined) throw fontMissing(options);
  // resvg silently omits text when it has no font.
  if (new Resvg(probe, { font: fontOf([fontFile]) }).getBBox() === undefined) throw fontMissing(options);
  const svg = await svgFigure(figure, options);
  const font = fontOf([...new Set([fontFile, ...fontsFor(svg, options)])]);
  const picture = await renderAsync(svg, { fitTo: { mode: "zoom", value: 2 }, font });
  return picture.asPng();
}

function fontOf(fontFiles: string[]): NonNullable<ResvgRenderOptions["font"]> {
  const family = "DejaVu Sans";
  return { fontFiles, loadSystemFonts: false, defaultFontFamily: family, sansSerifFamily: family };
}

/** Most fonts that are searched, and that are used for one picture. */
const [mostSearched, mostUsed] = [200, 4];

/** The fonts that have the characters of a picture beyond ASCII; those that none has are reported. */
function fontsFor(svg: string, { fonts, notice }: RenderOptions): string[] {
  let missing = [...new Set(svg.match(/[^\p{ASCII}\p{C}\p{M}\p{Z}]/gu))];
  if (missing.length === 0 || fonts === undefined) return [];
  const used: string[] = [];
  let searched = 0;
  for (const other of fonts()) {
    if (missing.length === 0 || used.length === mostUsed || searched++ === mostSearched) break;
    const left = uncovered(bytesOf(other), missing);
    if (left.length === missing.length) continue;
    used.push(other.path);
    missing = left;
  }
  if (missing.length > 0) notice?.(missingText(missing));
  return used;
}

/** A font that cannot be read has no characters. */
function bytesOf(font: FontFile): Uint8Array {
  try {
    return font.read();
  } catch {
    return new Uint8Array();
  }
}

function missingText(missing: readonly string[]): string {
  const most = 5;
  const more = missing.length > most ? ` and ${missing.length - most} more` : "";
  const which = `${missing.slice(0, most).join(" ")}${more}`;
  return `the PNG has boxes for characters that no font of this system has: ${which}; install one, or write an SVG`;
}

function fontMissing(options: RenderOptions): Failure {
  return new Failure("font-missing", { medium: "png", path: options.fontFile });
}

/** The characters that a font (TrueType, OpenType, the first of a collection) lacks; a damaged font has none. */
function uncovered(font: Uint8Array, characters: readonly string[]): string[] {
  try {
    const has = characterTest(new DataView(font.buffer, font.byteOffset, font.byteLength));
    return characters.filter((character) => !has(character.codePointAt(0) ?? 0));
  } catch (error) {
    if (error instanceof RangeError) return [...characters];
    throw error;
  }
}

type CharacterTest = (code: number) => boolean;

const tag = (text: string): number => [...text].reduce((all, char) => all * 256 + char.charCodeAt(0), 0);

/** Reads the table `cmap` of the OpenType specification. Fails with RangeError if an offset is beyond the end. */
function characterTest(view: DataView): CharacterTest {
  const start = view.getUint32(0) === tag("ttcf") ? view.getUint32(12) : 0;
  const tables = view.getUint16(start + 4);
  for (let at = start + 12; at < start + 12 + 16 * tables; at += 16)
    if (view.getUint32(at) === tag("cmap")) return testOfTable(view, view.getUint32(at + 8));
  return () => false;
}

/** The subtable of all of Unicode (format 12) if there is one, else of its first plane (format 4). */
function testOfTable(view: DataView, table: number): CharacterTest {
  const offsets = Array.from(
    { length: view.getUint16(table + 2) },
    (_, at) => table + view.getUint32(table + 4 + 8 * at + 4),
  );
  const ofFormat = (format: number): number | undefined => offsets.find((at) => view.getUint16(at) === format);
  const [full, plane] = [ofFormat(12), ofFormat(4)];
  if (full !== undefined) return (code) => isInGroups(view, full, code);
  return plane === undefined ? () => false : (code) => isInSegments(view, plane, code);
}

/** Groups of format 12, ascending: first and last character, first glyph. */
function isInGroups(view: DataView, at: number, code: number): boolean {
  let [low, high] = [0, view.getUint32(at + 12)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const group = at + 16 + 12 * middle;
    if (code > view.getUint32(group + 4)) low = middle + 1;
    else if (code < view.getUint32(group)) high = middle;
    else return view.getUint32(group + 8) + code - view.getUint32(group) !== 0;
  }
  return false;
}

/** Segments of format 4, ascending by their last character, in parallel arrays. */
function isInSegments(view: DataView, at: number, code: number): boolean {
  const double = view.getUint16(at + 6);
  for (let segment = 0; segment < double; segment += 2) {
    if (code > view.getUint16(at + 14 + segment)) continue;
    const first = view.getUint16(at + 16 + double + segment);
    if (code < first) return false;
    const shift = view.getUint16(at + 16 + 2 * double + segment);
    const range = at + 16 + 3 * double + segment;
    const offset = view.getUint16(range);
    const glyph = offset === 0 ? code : view.getUint16(range + offset + 2 * (code - first));
    return glyph !== 0 && ((glyph + shift) & 0xffff) !== 0;
  }
  return false;
}
