/** Lines of cells as CSV after RFC 4180. */
export function csvText(lines: readonly (readonly string[])[]): string {
  return lines.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

/** A number with all its digits; empty: none. */
export function csvNumber(value: number): string {
  return Number.isNaN(value) ? "" : String(value);
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
