/**
 * Code points that act on a terminal or deceive its reader instead of being seen: controls (C0, DEL, C1), line and
 * paragraph separators, bidirectional controls (CVE-2021-42574), interlinear and tag characters, lone surrogates.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex -- controls are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\ud800-\udfff]/gu;
const plain = /^[\x20-\x7e]*$/;
/**
 * Letters of Latin, Greek and Cyrillic, and the lines of tables: one column each, without a look at any property of
 * characters.
 */
const narrow = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2500-\u25b5\u25c0-\u25fc]*$/;
const wideSource = String.raw`[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\p{Extended_Pictographic}\ufe0f`;
let segmenter: Intl.Segmenter | undefined;
let widths: { readonly wide: RegExp; readonly zero: RegExp } | undefined;

/** Made at first need: it costs 8 ms, which a list of plain ASCII shall not pay. */
function graphemes(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Made at first need: patterns of character properties take milliseconds to make. */
function patterns(): { readonly wide: RegExp; readonly zero: RegExp } {
  widths ??= {
    wide: new RegExp(wideSource, "u"),
    zero: new RegExp(String.raw`^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]+$`, "u"),
  };
  return widths;
}

/**
 * Untrusted text as one line that a terminal may see: controls appear as `^[`, `^J`, `^?`, other hidden characters as
 * `<U+202E>`.
 */
export function terminalText(text: string): string {
  return plain.test(text) ? text : text.replace(hidden, visible);
}

/** Like `terminalText`, for text of several lines: line feeds and tabs stay. */
export function terminalLines(text: string): string {
  return text.replace(hidden, (char) => (char === "\n" || char === "\t" ? char : visible(char)));
}

function visible(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** Columns that escaped text takes on a terminal: East Asian wide and emoji 2, combining 0, ambiguous 1. */
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

/** The beginning of `text` that fits into `width` columns, ended by `ellipsis` when something is left out. */
export function cutToWidth(text: string, width: number, ellipsis = "…"): string {
  if (displayWidth(text) <= width) return text;
  const room = width - displayWidth(ellipsis);
  if (room < 0) return beginning(text, width);
  return beginning(text, room) + ellipsis;
}

/**
 * The beginning and the end of `text` that fit into `width` columns, joined by `ellipsis`: of a path, a command or a
 * function both tell it from others.
 */
export function cutMiddle(text: string, width: number, ellipsis = "…"): string {
  if (displayWidth(text) <= width) return text;
  const room = width - displayWidth(ellipsis);
  if (room < 2) return cutToWidth(text, width, ellipsis);
  const start = beginning(text, Math.ceil(room / 2));
  return start + ellipsis + ending(text, room - displayWidth(start));
}

/** What fits into `width` columns, of the last characters as people see them. */
function ending(text: string, width: number): string {
  if (narrow.test(text)) return text.slice(Math.max(0, text.length - width));
  // No grapheme of escaped text that is worth showing has more code units than that.
  const from = Math.max(0, text.length - width * longestGrapheme);
  const segments = [...graphemes(text.slice(from))].map(({ segment }) => segment);
  let used = 0;
  let at = segments.length;
  while (at > 0 && used + graphemeWidth(segments[at - 1] as string) <= width)
    used += graphemeWidth(segments[--at] as string);
  return segments.slice(at).join("");
}

const longestGrapheme = 64;

/** Escaped text in ASCII, for terminals that show nothing else: everything beyond as `\u{e9}`. */
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

/** `text` filled with blanks to `width` columns; longer text stays as it is. */
export function padToWidth(text: string, width: number, align: "left" | "right" = "left"): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "left" ? text + blanks : blanks + text;
}
