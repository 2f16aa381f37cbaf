import { latexText } from "../../core/figures/latex-table.ts";
import { markupText } from "../../core/text/markup-escape.ts";
import { terminalText } from "../../core/text/terminal-text.ts";
import { markdownText } from "./drawing/markdown-text.ts";
import type { Fence, Ruled, StyledColumn, TableStyle } from "./table-lines.ts";

/** A line such as `+--+--+` from its signs: left, filling, crossing, right; one blank on either side of each cell. */
function rule([left = "", fill = "", cross = "", right = ""]: string): Ruled {
  return (columns) => [left + columns.map(({ width }) => fill.repeat(width + 2)).join(cross) + right];
}

/** The same with a colon where the texts of a column begin: of numbers, where they end. */
function colonRule([left = "", fill = "", cross = "", right = ""]: string): Ruled {
  const cell = ({ width, align }: StyledColumn): string =>
    align === "right" ? `${fill.repeat(width + 1)}:` : `:${fill.repeat(width + 1)}`;
  return (columns) => [left + columns.map(cell).join(cross) + right];
}

/** A line below each column, with gaps. */
function underlines(fill: string): Ruled {
  return (columns) => [columns.map(({ width }) => fill.repeat(width)).join("  ")];
}

function said(...lines: readonly string[]): Ruled {
  return () => lines;
}

const fence = (left: string, between: string, right: string): Pick<TableStyle, "head" | "row"> => {
  const own: Fence = [left, between, right];
  return { head: own, row: own };
};
const plain = { cell: terminalText, padded: true, spare: 2 } as const;
const barred = { ...plain, ...fence("| ", " | ", " |") } as const;

/**
 * Cells in boxes: the signs of the lines above, below the head, between rows, and below; and what stands between cells.
 */
function grid(lines: string, upright: string): TableStyle {
  const [top = "", head = "", row = "", bottom = ""] = lines.split(" ");
  const rules = { begin: rule(top), beneath: rule(head), between: rule(row), end: rule(bottom) };
  return { ...plain, ...fence(`${upright} `, ` ${upright} `, ` ${upright}`), ...rules };
}

/** The same without lines between rows. */
function outline({ between: _, ...style }: TableStyle): TableStyle {
  return style;
}

const boxes = {
  "": grid("+-++ +=++ +-++ +-++", "|"),
  simple_: grid("┌─┬┐ ├─┼┤ ├─┼┤ └─┴┘", "│"),
  rounded_: grid("╭─┬╮ ├─┼┤ ├─┼┤ ╰─┴╯", "│"),
  heavy_: grid("┏━┳┓ ┣━╋┫ ┣━╋┫ ┗━┻┛", "┃"),
  mixed_: grid("┍━┯┑ ┝━┿┥ ├─┼┤ ┕━┷┙", "│"),
  double_: grid("╔═╦╗ ╠═╬╣ ╠═╬╣ ╚═╩╝", "║"),
  fancy_: grid("╒═╤╕ ╞═╪╡ ├─┼┤ ╘═╧╛", "│"),
} as const;

const boxed = Object.entries(boxes).flatMap(([name, style]): [string, TableStyle][] => [
  [`${name}grid`, style],
  [`${name}outline`, outline(style)],
]);

/** Signs by their numbers, as HTML and the markups that know its entities read them. */
function entities(signs: RegExp): TableStyle["cell"] {
  return (text) => terminalText(text).replace(signs, (sign) => `&#${sign.charCodeAt(0)};`);
}

function backslashed(signs: RegExp): TableStyle["cell"] {
  return (text) => terminalText(text).replace(signs, "\\$&");
}

/** Of Org: a cell of `<10>` would set the width of its column. */
function orgText(text: string): string {
  return terminalText(text)
    .replaceAll("\\", "\\backslash{}")
    .replaceAll("|", "\\vert{}")
    .replace(/^<(?=[lrc]?\d*>$)/, "\\lt{}");
}

/** Of reStructuredText: a line whose first cell is empty goes on with the one above, and `====` ends the table. */
function rstText(text: string, at: number): string {
  const shown = terminalText(text).replace(/[\\*`|_]|^[=-]+$/g, "\\$&");
  return at === 0 && shown.trim() === "" ? ".." : shown;
}

const toTheRight = 'style="text-align: right;"';
const isRight = ({ align }: StyledColumn): boolean => align === "right";

function latexTable(
  environment: string,
  [top, middle, bottom]: readonly [string, string, string],
  ...behindHead: string[]
): TableStyle {
  const kinds = (columns: readonly StyledColumn[]): string =>
    columns.map((column) => (isRight(column) ? "r" : "l")).join("");
  return {
    ...plain,
    cell: latexText,
    ...fence("", " & ", " \\\\"),
    begin: (columns) => [`\\begin{${environment}}{${kinds(columns)}}`, top],
    beneath: said(middle, ...behindHead),
    end: said(bottom, `\\end{${environment}}`),
  };
}

const hlines = ["\\hline", "\\hline", "\\hline"] as const;
const latex = latexTable("tabular", hlines);

const html: TableStyle = {
  cell: markupText,
  padded: false,
  spare: 0,
  ...fence("<tr>", "", "</tr>"),
  around: (text, column, isHead) =>
    `<${isHead ? "th" : "td"}${isRight(column) ? ` ${toTheRight}` : ""}>${text}</${isHead ? "th" : "td"}>`,
  begin: said("<table>", "<thead>"),
  beneath: said("</thead>", "<tbody>"),
  end: said("</tbody>", "</table>"),
};

const marked: readonly (readonly [string, TableStyle])[] = [
  [
    "asciidoc",
    {
      ...plain,
      cell: entities(/[&<>|+`*_#^~{}[\]]/g),
      ...fence("| ", " | ", ""),
      begin: asciidocHead,
      end: said("|===="),
    },
  ],
  ["html", html],
  [
    "jira",
    { ...plain, cell: backslashed(/[\\{}[\]|*_^~+!?]/g), head: ["|| ", " || ", " ||"], row: ["| ", " | ", " |"] },
  ],
  ["latex", latex],
  ["latex_booktabs", latexTable("tabular", ["\\toprule", "\\midrule", "\\bottomrule"])],
  ["latex_longtable", latexTable("longtable", hlines, "\\endhead")],
  ["latex_raw", latex],
  [
    "mediawiki",
    {
      ...plain,
      cell: entities(/[&<>[\]{}|'~=]|_(?=_)|!(?=!)/g),
      head: ["! ", " !! ", ""],
      row: ["|-\n| ", " || ", ""],
      around: (text, column) => (isRight(column) ? `${toTheRight} | ${text}` : text),
      begin: said('{| class="wikitable" style="text-align: left;"', "|-"),
      end: said("|}"),
    },
  ],
  [
    "moinmoin",
    {
      ...plain,
      cell: entities(/[&<>[\]{}|'~^`!=]|_(?=_)|,(?=,)/g),
      ...fence("||", "||", "||"),
      around: (text, column, isHead) =>
        `${isRight(column) ? `<${toTheRight}>` : ""} ${isHead ? `''' ${text} '''` : text} `,
    },
  ],
  [
    "textile",
    {
      ...plain,
      cell: entities(/[&<>[\]{}|*_@^~+%?"!=]/g),
      ...fence("|", " |", " |"),
      around: (text, column, isHead) => `${isHead ? "_" : isRight(column) ? ">" : "<"}. ${text}`,
    },
  ],
  ["tsv", { cell: terminalText, padded: false, spare: 0, ...fence("", "\t", "") }],
  ["unsafehtml", html],
  [
    "youtrack",
    { ...plain, cell: entities(/[&<>[\]{}|*_'`~^]/g), head: ["|| ", " || ", " ||"], row: ["| ", " | ", " |"] },
  ],
];

function asciidocHead(columns: readonly StyledColumn[]): readonly string[] {
  const cols = columns.map((column) => `${isRight(column) ? ">" : "<"}${column.width + 2}`).join(",");
  return [`[cols="${cols}",options="header"]`, "|===="];
}

/** All of `tableStyleNames`. Tables of untrusted texts are never raw: what is named so is escaped, too. */
export const tableStyles: ReadonlyMap<string, TableStyle> = new Map<string, TableStyle>([
  ["plain", { ...plain, ...fence("", "  ", "") }],
  ["simple", { ...plain, ...fence("", "  ", ""), beneath: underlines("-") }],
  ...boxed,
  ["colon_grid", { ...boxes[""], beneath: colonRule("+=++") }],
  ["github", { ...barred, cell: markdownText, beneath: rule("|-||") }],
  ["pipe", { ...barred, cell: markdownText, beneath: colonRule("|-||") }],
  ["orgtbl", { ...barred, cell: orgText, beneath: rule("|-+|") }],
  [
    "presto",
    {
      ...plain,
      ...fence(" ", " | ", ""),
      beneath: (columns) => [columns.map(({ width }) => "-".repeat(width + 2)).join("+")],
    },
  ],
  ["pretty", { ...barred, spare: 0, centred: true, begin: rule("+-++"), beneath: rule("+-++"), end: rule("+-++") }],
  ["psql", { ...barred, begin: rule("+-++"), beneath: rule("|-+|"), end: rule("+-++") }],
  [
    "rst",
    {
      ...plain,
      cell: rstText,
      ...fence("", "  ", ""),
      begin: underlines("="),
      beneath: underlines("="),
      end: underlines("="),
    },
  ],
  ...marked,
]);
