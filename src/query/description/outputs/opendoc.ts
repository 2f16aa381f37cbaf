import { Failure } from "../../../core/failures/failure.ts";
import { formatValue } from "../../../core/values/value.ts";
import { sheetOf, type Cell, type Row } from "./sheet.ts";
import type { Page, Shown, Target } from "./target.ts";
import { xmlEscaped } from "./xml-escape.ts";
import { zipArchive } from "./zip-archive.ts";

const mediaType = "application/vnd.oasis.opendocument.spreadsheet";
const names = "urn:oasis:names:tc:opendocument:xmlns";
const namespaces = ["office", "style", "text", "table"].map((name) => `xmlns:${name}="${names}:${name}:1.0"`).join(" ");
const fonts = `xmlns:fo="${names}:xsl-fo-compatible:1.0"`;

/**
 * A spreadsheet of the OpenDocument format (ISO/IEC 26300): one sheet, or one for each clone of the output. Contents
 * are never formulas.
 */
export const opendoc: Target = {
  name: "opendoc",
  extension: "ods",
  joins: false,
  printable: false,
  show: (shown) => ({ kind: "content", content: spreadsheet(shown) }),
};

/** The media type comes first and as it is, so that programs find it at a fixed place (part 3, 3.3 of the standard). */
function spreadsheet(shown: Shown): Uint8Array {
  const encode = (name: string, content: string) => ({ name, content: new TextEncoder().encode(content) });
  return zipArchive([
    encode("mimetype", mediaType),
    encode("content.xml", contentXml(shown)),
    encode("META-INF/manifest.xml", manifest()),
  ]);
}

function manifest(): string {
  const entry = (path: string, type: string): string =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
  const entries = entry("/", mediaType) + entry("content.xml", "text/xml");
  return `${declaration}<manifest:manifest xmlns:manifest="${names}:manifest:1.0" manifest:version="1.2">${entries}</manifest:manifest>\n`;
}

/** What LibreOffice and Excel can open. */
const mostRows = 1_048_576;

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

function contentXml(shown: Shown): string {
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

/** Names of sheets hold none of the characters that references to cells are made of. */
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
    return `<table:table-cell${look} office:value-type="boolean" office:boolean-value="${String(value)}">${text}</table:table-cell>`;
  const isNumber = (type === "integer" || type === "float" || type === "duration") && Number.isFinite(Number(value));
  const kind = isNumber ? `office:value-type="float" office:value="${String(value)}"` : 'office:value-type="string"';
  return `<table:table-cell${look} ${kind}>${text}</table:table-cell>`;
}

/** Line breaks, tabs and runs of blanks have elements of their own, or they would be one blank. */
function textXml(text: string): string {
  return xmlEscaped(text.replaceAll(/\r\n?/g, "\n"))
    .replaceAll("\n", "<text:line-break/>")
    .replaceAll("\t", "<text:tab/>")
    .replaceAll(/^ +| {2,}/g, (blanks, at: number) =>
      at === 0 ? `<text:s text:c="${blanks.length}"/>` : ` <text:s text:c="${blanks.length - 1}"/>`,
    );
}
