import { type TableBlock, type TableColumn, latexText } from "../../core/figures/index.ts";
import { markupText, displayWidth, padToWidth, terminalText } from "../../core/text/index.ts";
import { markdownText } from "./drawing/markdown-text.ts";

/** A column as wide as its widest cell. */
export interface StyledColumn extends Pick<TableColumn, "align"> {
  readonly width: number;
}

/** Text before the first cell of a line, between cells, and after the last. */
export type Delimiters = readonly [left: string, between: string, right: string];

/** Lines without cells. */
export type RuleLines = (columns: readonly StyledColumn[]) => readonly string[];

/** Format of a table in a text markup. */
export interface TableStyle {
  /** Escapes untrusted text of a cell; `at` is the index of the column. */
  readonly cell: (text: string, at: number) => string;
  /** Whether cells are padded to the column width, and the minimum padding of the header in columns. */
  readonly padded: boolean;
  readonly spare: number;
  readonly centred?: true;
  readonly head: Delimiters;
  readonly row: Delimiters;
  /** Wraps the text of a cell. */
  readonly around?: (text: string, column: StyledColumn, isHead: boolean) => string;
  readonly begin?: RuleLines;
  readonly afterHead?: RuleLines;
  readonly between?: RuleLines;
  readonly end?: RuleLines;
}

const noLines: RuleLines = () => [];

/** The lines of a table in a style. */
export function styledLines({ head, rows }: TableBlock, style: TableStyle): string[] {
  const labels = head.map(({ label }, at) => style.cell(label, at));
  const cells = rows.map((row) => row.map(style.cell));
  const columns = head.map(({ align }, at) => ({ align, width: widest(labels[at] ?? "", cells, at, style) }));
  const lines = cells.map((row) => lineOf(row, columns, style, false));
  const { begin = noLines, afterHead = noLines, between = noLines, end = noLines } = style;
  const separated = lines.flatMap((line, at) => (at === 0 ? [line] : [...between(columns), line]));
  return [
    ...begin(columns),
    lineOf(labels, columns, style, true),
    ...afterHead(columns),
    ...separated,
    ...end(columns),
  ];
}

function widest(label: string, rows: readonly (readonly string[])[], at: number, { spare }: TableStyle): number {
  return rows.reduce((width, row) => Math.max(width, displayWidth(row[at] ?? "")), displayWidth(label) + spare);
}

function lineOf(
  cells: readonly string[],
  columns: readonly StyledColumn[],
  style: TableStyle,
  isHead: boolean,
): string {
  const [left, between, right] = isHead ? style.head : style.row;
  const shown = columns.map((column, at) => {
    const text = style.padded ? padded(cells[at] ?? "", column, style) : (cells[at] ?? "");
    return style.around?.(text, column, isHead) ?? text;
  });
  return `${left}${shown.join(between)}${right}`.replace(/ +$/, "");
}

function padded(text: string, { width, align }: StyledColumn, { centred }: TableStyle): string {
  if (centred !== true) return padToWidth(text, width, align);
  const before = Math.floor((width - displayWidth(text)) / 2);
  return padToWidth(" ".repeat(Math.max(0, before)) + text, width);
}

/** A line such as `+--+--+` from four characters: left, fill, crossing, right; cells have a space on both sides. */
function rule([left = "", fill = "", cross = "", right = ""]: string): RuleLines {
  return (columns) => [left + columns.map(({ width }) => fill.repeat(width + 2)).join(cross) + right];
}

/** `rule` with a colon at the left or right of each column, by its alignment. */
function colonRule([left = "", fill = "", cross = "", right = ""]: string): RuleLines {
  const cell = ({ width, align }: StyledColumn): string =>
    align === "right" ? `${fill.repeat(width + 1)}:` : `:${fill.repeat(width + 1)}`;
  return (columns) => [left + columns.map(cell).join(cross) + right];
}

/** A line below each column, with gaps. */
function underlines(fill: string): RuleLines {
  return (columns) => [columns.map(({ width }) => fill.repeat(width)).join("  ")];
}

function fixedLines(...lines: readonly string[]): RuleLines {
  return () => lines;
}

const delimiters = (left: string, between: string, right: string): Pick<TableStyle, "head" | "row"> => {
  const own: Delimiters = [left, between, right];
  return { head: own, row: own };
};
const plain = { cell: terminalText, padded: true, spare: 2 } as const;
const barred = { ...plain, ...delimiters("| ", " | ", " |") } as const;

/**
 * Cells in boxes. `lines`: characters of the top, header, row and bottom rules; `vertical`: separator of cells.
 */
function grid(lines: string, vertical: string): TableStyle {
  const [top = "", head = "", row = "", bottom = ""] = lines.split(" ");
  const rules = { begin: rule(top), afterHead: rule(head), between: rule(row), end: rule(bottom) };
  return { ...plain, ...delimiters(`${vertical} `, ` ${vertical} `, ` ${vertical}`), ...rules };
}

/** The style without lines between rows. */
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

/** Escapes characters as numeric HTML entities. */
function entities(characters: RegExp): TableStyle["cell"] {
  return (text) => terminalText(text).replace(characters, (character) => `&#${character.charCodeAt(0)};`);
}

function backslashes(characters: RegExp): TableStyle["cell"] {
  return (text) => terminalText(text).replace(characters, "\\$&");
}

/** Escapes for Org, where a cell of `<10>` sets the column width. */
function orgText(text: string): string {
  return terminalText(text)
    .replaceAll("\\", "\\backslash{}")
    .replaceAll("|", "\\vert{}")
    .replace(/^<(?=[lrc]?\d*>$)/, "\\lt{}");
}

/** Escapes for reStructuredText, where an empty first cell continues the line above and `====` ends the table. */
function rstText(text: string, at: number): string {
  const shown = terminalText(text).replace(/[\\*`|_]|^[=-]+$/g, "\\$&");
  return at === 0 && shown.trim() === "" ? ".." : shown;
}

const rightAligned = 'style="text-align: right;"';
const isRight = ({ align }: StyledColumn): boolean => align === "right";

function latexTable(
  environment: string,
  [top, middle, bottom]: readonly [string, string, string],
  ...afterHeadLines: string[]
): TableStyle {
  const kinds = (columns: readonly StyledColumn[]): string =>
    columns.map((column) => (isRight(column) ? "r" : "l")).join("");
  return {
    ...plain,
    cell: latexText,
    ...delimiters("", " & ", " \\\\"),
    begin: (columns) => [`\\begin{${environment}}{${kinds(columns)}}`, top],
    afterHead: fixedLines(middle, ...afterHeadLines),
    end: fixedLines(bottom, `\\end{${environment}}`),
  };
}

const hlines = ["\\hline", "\\hline", "\\hline"] as const;
const latex = latexTable("tabular", hlines);

const html: TableStyle = {
  cell: markupText,
  padded: false,
  spare: 0,
  ...delimiters("<tr>", "", "</tr>"),
  around: (text, column, isHead) =>
    `<${isHead ? "th" : "td"}${isRight(column) ? ` ${rightAligned}` : ""}>${text}</${isHead ? "th" : "td"}>`,
  begin: fixedLines("<table>", "<thead>"),
  afterHead: fixedLines("</thead>", "<tbody>"),
  end: fixedLines("</tbody>", "</table>"),
};

const marked: readonly (readonly [string, TableStyle])[] = [
  [
    "asciidoc",
    {
      ...plain,
      cell: entities(/[&<>|+`*_#^~{}[\]]/g),
      ...delimiters("| ", " | ", ""),
      begin: asciidocHead,
      end: fixedLines("|===="),
    },
  ],
  ["html", html],
  [
    "jira",
    { ...plain, cell: backslashes(/[\\{}[\]|*_^~+!?]/g), head: ["|| ", " || ", " ||"], row: ["| ", " | ", " |"] },
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
      around: (text, column) => (isRight(column) ? `${rightAligned} | ${text}` : text),
      begin: fixedLines('{| class="wikitable" style="text-align: left;"', "|-"),
      end: fixedLines("|}"),
    },
  ],
  [
    "moinmoin",
    {
      ...plain,
      cell: entities(/[&<>[\]{}|'~^`!=]|_(?=_)|,(?=,)/g),
      ...delimiters("||", "||", "||"),
      around: (text, column, isHead) =>
        `${isRight(column) ? `<${rightAligned}>` : ""} ${isHead ? `''' ${text} '''` : text} `,
    },
  ],
  [
    "textile",
    {
      ...plain,
      cell: entities(/[&<>[\]{}|*_@^~+%?"!=]/g),
      ...delimiters("|", " |", " |"),
      around: (text, column, isHead) => `${isHead ? "_" : isRight(column) ? ">" : "<"}. ${text}`,
    },
  ],
  ["tsv", { cell: terminalText, padded: false, spare: 0, ...delimiters("", "\t", "") }],
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

/** All of `tableStyleNames`. Text is untrusted, so the raw styles are escaped, too. */
export const tableStyles: ReadonlyMap<string, TableStyle> = new Map<string, TableStyle>([
  ["plain", { ...plain, ...delimiters("", "  ", "") }],
  ["simple", { ...plain, ...delimiters("", "  ", ""), afterHead: underlines("-") }],
  ...boxed,
  ["colon_grid", { ...boxes[""], afterHead: colonRule("+=++") }],
  ["github", { ...barred, cell: markdownText, afterHead: rule("|-||") }],
  ["pipe", { ...barred, cell: markdownText, afterHead: colonRule("|-||") }],
  ["orgtbl", { ...barred, cell: orgText, afterHead: rule("|-+|") }],
  [
    "presto",
    {
      ...plain,
      ...delimiters(" ", " | ", ""),
      afterHead: (columns) => [columns.map(({ width }) => "-".repeat(width + 2)).join("+")],
    },
  ],
  ["pretty", { ...barred, spare: 0, centred: true, begin: rule("+-++"), afterHead: rule("+-++"), end: rule("+-++") }],
  ["psql", { ...barred, begin: rule("+-++"), afterHead: rule("|-+|"), end: rule("+-++") }],
  [
    "rst",
    {
      ...plain,
      cell: rstText,
      ...delimiters("", "  ", ""),
      begin: underlines("="),
      afterHead: underlines("="),
      end: underlines("="),
    },
  ],
  ...marked,
]);
