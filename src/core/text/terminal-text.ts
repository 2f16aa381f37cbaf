/**
 * Code points that control a terminal or deceive its reader: controls (C0, DEL, C1), line and paragraph separators,
 * bidirectional controls (CVE-2021-42574), interlinear and tag characters, lone surrogates.
 */
const hidden = new RegExp(
  String.raw`[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb` +
    String.raw`\u{e0000}-\u{e007f}\ud800-\udfff]`,
  "gu",
);
const plain = /^[\x20-\x7e]*$/;
/**
 * Latin, Greek and Cyrillic letters and box-drawing characters: one column each, without a look-up of character
 * properties.
 */
const narrow = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2500-\u25b5\u25c0-\u25fc]*$/;
const wideSource =
  String.raw`[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3` +
  String.raw`\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}` +
  String.raw`\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\p{Extended_Pictographic}\ufe0f`;
let segmenter: Intl.Segmenter | undefined;
let widths: { readonly wide: RegExp; readonly zero: RegExp } | undefined;

/** Created lazily: it takes 8 ms, which plain ASCII does not need. */
function graphemes(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Created lazily: patterns with character properties take milliseconds to compile. */
function patterns(): { readonly wide: RegExp; readonly zero: RegExp } {
  widths ??= {
    wide: new RegExp(wideSource, "u"),
    zero: new RegExp(String.raw`^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]+$`, "u"),
  };
  return widths;
}

/**
 * Untrusted text as one safe line for a terminal: controls become `^[`, `^J`, `^?`, other hidden characters `<U+202E>`.
 */
export function terminalText(text: string): string {
  return plain.test(text) ? text : text.replace(hidden, visible);
}

/** Like `terminalText`, for text of several lines: line feeds and tabs stay. */
export function terminalLines(text: string): string {
  return text.replace(hidden, (char) => (char === "\n" || char === "\t" ? char : visible(char)));
}

/** Colours and links, the controls that perfkeep itself prints. */
const ownControls = String.raw`\x1b\[[\d;]*m|\x1b\]8;[!-:<-~]*;[!-~]*\x1b\\`;
const hiddenOrOwn = new RegExp(`(${ownControls})|${hidden.source}`, "gu");

/** How `terminalOutput` keeps data readable: text with colours and links, text without, or JSON. */
export type TerminalOutput = "styled" | "plain" | "json";

/**
 * Output of any kind for a terminal: hidden characters are made visible, in JSON as escapes that mean the same. Line
 * feeds and tabs stay, and of `styled` text colours and links.
 */
export function terminalOutput(text: string, as: TerminalOutput): string {
  const isLayout = (char: string): boolean => char === "\n" || char === "\t";
  if (as === "json") return text.replace(hidden, (char) => (isLayout(char) ? char : jsonEscape(char)));
  const lines = text.replaceAll("\r\n", "\n");
  if (as === "plain") return terminalLines(lines);
  return lines.replace(hiddenOrOwn, (char, own?: string) => own ?? (isLayout(char) ? char : visible(char)));
}

function jsonEscape(char: string): string {
  return Array.from({ length: char.length }, (_, at) => char.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}

function visible(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** Width of escaped text on a terminal in columns: East Asian wide and emoji 2, combining 0, ambiguous 1. */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  const { wide, zero } = patterns();
  if (wide.test(grapheme)) return 2;
  return zero.test(grapheme) ? 0 : 1;
}

/** `text` cut to `width` columns, with a final `ellipsis` if it was cut. */
export function cutToWidth(text: string, width: number, ellipsis = "…"): string {
  if (displayWidth(text) <= width) return text;
  const room = width - displayWidth(ellipsis);
  if (room < 0) return beginning(text, width);
  return beginning(text, room) + ellipsis;
}

/**
 * `text` cut to `width` columns in its middle, at `ellipsis`: the ends of paths, commands and functions distinguish
 * them.
 */
export function cutMiddle(text: string, width: number, ellipsis = "…"): string {
  if (displayWidth(text) <= width) return text;
  const room = width - displayWidth(ellipsis);
  if (room < 2) return cutToWidth(text, width, ellipsis);
  const start = beginning(text, Math.ceil(room / 2));
  return start + ellipsis + ending(text, room - displayWidth(start));
}

/** The last graphemes that fit into `width` columns. */
function ending(text: string, width: number): string {
  if (narrow.test(text)) return text.slice(Math.max(0, text.length - width));
  // Longer graphemes of escaped text are not worth showing.
  const from = Math.max(0, text.length - width * longestGrapheme);
  const segments = [...graphemes(text.slice(from))].map(({ segment }) => segment);
  let used = 0;
  let at = segments.length;
  while (at > 0 && used + graphemeWidth(segments[at - 1] as string) <= width)
    used += graphemeWidth(segments[--at] as string);
  return segments.slice(at).join("");
}

const longestGrapheme = 64;

/** Escaped text for ASCII terminals: other characters as `\u{e9}`. */
export function asciiText(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

function beginning(text: string, width: number): string {
  if (narrow.test(text)) return text.slice(0, Math.max(0, width));
  let used = 0;
  let kept = "";
  for (const { segment } of graphemes(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return kept;
}

/** `text` padded with blanks to `width` columns; longer text is unchanged. */
export function padToWidth(text: string, width: number, align: "left" | "right" = "left"): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "left" ? text + blanks : blanks + text;
}
