import { Failure } from "../../../core/failures/index.ts";
import { formatValue, type Value } from "../../../core/values/index.ts";
import { unitText } from "../filter-label.ts";
import { valueOf, parametersOf, resultsOf, type VectorColumn } from "../vector.ts";
import { filledOf, plainLabels, type ShownVector } from "./shown-vector.ts";
import type { Page, Shown, Target } from "./target.ts";
import { xmlEscaped } from "./xml-escape.ts";
import { zipArchive } from "./zip-archive.ts";

const mediaType = "application/vnd.oasis.opendocument.spreadsheet";
const names = "urn:oasis:names:tc:opendocument:xmlns";
const namespaces = ["office", "style", "text", "table"].map((name) => `xmlns:${name}="${names}:${name}:1.0"`).join(" ");
const fonts = `xmlns:fo="${names}:xsl-fo-compatible:1.0"`;

/**
 * A spreadsheet of the OpenDocument format (ISO/IEC 26300) with one sheet per clone of the output. Values are never
 * formulas.
 */
export const opendoc: Target = {
  name: "opendoc",
  extension: "ods",
  joins: false,
  printable: false,
  show: (shown) => ({ kind: "data", data: spreadsheet(shown) }),
};

/**
 * The media type is the first entry and uncompressed, for detection at a fixed offset (part 3, 3.3 of the standard).
 */
function spreadsheet(shown: Shown): Uint8Array {
  const encode = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
  return zipArchive([
    encode("mimetype", mediaType),
    encode("content.xml", documentXml(shown)),
    encode("META-INF/manifest.xml", manifest()),
  ]);
}

function manifest(): string {
  const entry = (path: string, type: string): string =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
  const entries = entry("/", mediaType) + entry("content.xml", "text/xml");
  const opening = `<manifest:manifest xmlns:manifest="${names}:manifest:1.0" manifest:version="1.2">`;
  return `${declaration}${opening}${entries}</manifest:manifest>\n`;
}

/** Limit of LibreOffice and Excel. */
const mostRows = 1_048_576;

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

function documentXml(shown: Shown): string {
  const sheets = shown.pages.map((page, at) => sheetXml(page, sheetName(shown, at)));
  const styles = (["title", "filter", "head"] as const).map(styleXml).join("");
  return [
    `${declaration}<office:document-content ${namespaces} ${fonts} office:version="1.2">`,
    `<office:automatic-styles>${styles}</office:automatic-styles>`,
    `<office:body><office:spreadsheet>${sheets.join("")}</office:spreadsheet></office:body>`,
    "</office:document-content>\n",
  ].join("");
}

function styleXml(name: "title" | "filter" | "head"): string {
  const weight = name === "filter" ? 'fo:font-style="italic"' : 'fo:font-weight="bold"';
  return `<style:style style:name="${name}" style:family="table-cell"><style:text-properties ${weight}/></style:style>`;
}

/** Replaces characters of cell references in names of sheets. */
function sheetName({ name, pages }: Shown, at: number): string {
  const plain = name.replaceAll(/[[\]*?:/\\'\p{Cc}]/gu, " ");
  return pages.length === 1 ? plain : `${plain} ${at + 1}`;
}

function sheetXml(page: Page, name: string): string {
  refuseTooMany(Math.max(...page.inputs.map(({ vector }) => vector.length)), name);
  const rows = sheetOf(page);
  refuseTooMany(rows.length, name);
  const width = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const columns = `<table:table-column table:number-columns-repeated="${width}"/>`;
  return `<table:table table:name="${xmlEscaped(name)}">${columns}${rows.map(rowXml).join("")}</table:table>`;
}

function refuseTooMany(rows: number, name: string): void {
  if (rows <= mostRows) return;
  const problem = `its sheet would have ${rows} rows, spreadsheets have ${mostRows}`;
  throw new Failure("query-not-possible", {
    element: name,
    problem,
    advice: "group the rows by an operator, or write a Parquet file",
  });
}

function rowXml(row: Row): string {
  const cells = row.length === 0 ? "<table:table-cell/>" : row.map(cellXml).join("");
  return `<table:table-row>${cells}</table:table-row>`;
}

function cellXml(cell: Cell | undefined): string {
  if (cell === undefined || cell.value === null) return "<table:table-cell/>";
  const { value, type, style } = cell;
  const text = `<text:p>${textXml(formatValue(value, type))}</text:p>`;
  const look = style === "data" ? "" : ` table:style-name="${style}"`;
  if (type === "boolean")
    return [
      `<table:table-cell${look} office:value-type="boolean" `,
      `office:boolean-value="${String(value)}">${text}</table:table-cell>`,
    ].join("");
  const isNumber = (type === "integer" || type === "float" || type === "duration") && Number.isFinite(Number(value));
  const kind = isNumber ? `office:value-type="float" office:value="${String(value)}"` : 'office:value-type="string"';
  return `<table:table-cell${look} ${kind}>${text}</table:table-cell>`;
}

/** Encodes line breaks, tabs and repeated blanks, which would collapse. */
function textXml(text: string): string {
  return xmlEscaped(text.replaceAll(/\r\n?/g, "\n"))
    .replaceAll("\n", "<text:line-break/>")
    .replaceAll("\t", "<text:tab/>")
    .replaceAll(/^ +| {2,}/g, (blanks, at: number) =>
      at === 0 ? `<text:s text:c="${blanks.length}"/>` : ` <text:s text:c="${blanks.length - 1}"/>`,
    );
}

/** A cell of a spreadsheet; `head` cells are bold. */
interface Cell {
  readonly value: Value;
  readonly type: VectorColumn["variable"]["type"];
  readonly style: "title" | "filter" | "head" | "data";
}

type Row = readonly (Cell | undefined)[];

/**
 * The inputs of an output as rows of a sheet, common labels first. Vectors are side by side, shared parameters once.
 * Single results form a table: filters by result, or for one result one filter by the other.
 */
export function sheetOf(page: Page): Row[] {
  const inputs = filledOf(page.inputs);
  const all = inputs.map(plainLabels);
  const shared = (all[0] ?? []).filter((label) => all.every((labels) => labels.includes(label)));
  const own = all.map((labels) => labels.filter((label) => !shared.includes(label)));
  const top =
    shared.length === 0
      ? []
      : [[text("Parameters are:", "title")], ...shared.map((label) => [text(label, "filter")]), []];
  return [...top, ...tableRows(inputs, own)];
}

function tableRows(inputs: readonly ShownVector[], own: readonly (readonly string[])[]): Row[] {
  const scalars = inputs.length > 1 && inputs.every(isScalar);
  if (!scalars) return vectorRows(inputs, own);
  const heads = new Set(inputs.map((input) => headOf(resultsOf(input.vector)[0])));
  return heads.size === 1 && own.every((labels) => labels.length === 2)
    ? crossRows(inputs, own)
    : scalarRows(inputs, own);
}

/** Whether a vector has one row with one result and no parameter. */
function isScalar({ vector }: ShownVector): boolean {
  return vector.length === 1 && vector.columns.length === 1 && resultsOf(vector).length === 1;
}

function crossRows(inputs: readonly ShownVector[], own: readonly (readonly string[])[]): Row[] {
  const across = distinct(own.map((labels) => labels[0] ?? ""));
  const down = distinct(own.map((labels) => labels[1] ?? ""));
  const at = (row: string, column: string): Cell | undefined => {
    const input = inputs[own.findIndex(([first, second]) => first === column && second === row)];
    return input === undefined ? undefined : scalarOf(input);
  };
  return [
    [text(`Results are ${headOf(inputs[0]?.vector.columns[0])}`, "title")],
    [],
    [undefined, ...across.map((label) => text(label, "head"))],
    ...down.map((row) => [text(row, "head"), ...across.map((column) => at(row, column))]),
  ];
}

function scalarRows(inputs: readonly ShownVector[], own: readonly (readonly string[])[]): Row[] {
  const names = own.map((labels) => labels.join(", "));
  const heads = inputs.map((input) => headOf(resultsOf(input.vector)[0]));
  const across = distinct(heads).sort((a, b) => (a < b ? -1 : 1));
  const at = (row: string, column: string): Cell | undefined => {
    const input = inputs[names.findIndex((name, position) => name === row && heads[position] === column)];
    return input === undefined ? undefined : scalarOf(input);
  };
  return [
    [undefined, ...across.map((head) => text(head, "head"))],
    ...distinct(names).map((row) => [text(row, "head"), ...across.map((column) => at(row, column))]),
  ];
}

function vectorRows(inputs: readonly ShownVector[], own: readonly (readonly string[])[]): Row[] {
  const [first] = inputs;
  const columns = inputs.flatMap((input, at) => {
    const repeats = at > 0 && first !== undefined && sharesParameters(first, input);
    const shown = repeats ? resultsOf(input.vector) : input.vector.columns;
    return shown.map((column) => ({
      column,
      length: input.vector.length,
      label: column.variable.role === "result" ? (own[at] ?? []).join(", ") : "",
    }));
  });
  const labels = columns.some(({ label }) => label !== "") ? [columns.map(({ label }) => text(label, "filter"))] : [];
  const length = inputs.reduce((most, { vector }) => Math.max(most, vector.length), 0);
  const rows = Array.from({ length }, (_, row) =>
    columns.map((each) => (row < each.length ? dataCell(each.column, row) : undefined)),
  );
  return [...labels, columns.map(({ column }) => text(headOf(column), "head")), ...rows];
}

/** Whether two vectors have the same parameters with the same values. */
function sharesParameters(a: ShownVector, b: ShownVector): boolean {
  const [mine, theirs] = [parametersOf(a.vector), parametersOf(b.vector)];
  if (a.vector.length !== b.vector.length || mine.length === 0 || mine.length !== theirs.length) return false;
  return mine.every((column, at) => {
    const other = theirs[at];
    if (other === undefined || headOf(column) !== headOf(other)) return false;
    for (let row = 0; row < a.vector.length; row++) if (valueOf(column, row) !== valueOf(other, row)) return false;
    return true;
  });
}

function scalarOf({ vector }: ShownVector): Cell | undefined {
  const [column] = vector.columns;
  return column === undefined ? undefined : dataCell(column, 0);
}

function dataCell(column: VectorColumn, row: number): Cell {
  return { value: valueOf(column, row), type: column.variable.type, style: "data" };
}

function text(value: string, style: Cell["style"]): Cell {
  return { value, type: "string", style };
}

function headOf(column: VectorColumn | undefined): string {
  if (column === undefined) return "";
  const unit = unitText(column);
  return unit === "" ? column.display : `${column.display} [${unit}]`;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
