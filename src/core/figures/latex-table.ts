import type { TableBlock } from "./figure.ts";
import { terminalText } from "../text/index.ts";

/** A table as a LaTeX environment with the package booktabs; numbers are right-aligned. */
export function latexLines({ head, rows }: TableBlock): string[] {
  const line = (cells: readonly string[]): string => `${cells.map(latexText).join(" & ")} \\\\`;
  return [
    `\\begin{tabular}{${head.map(({ align }) => (align === "right" ? "r" : "l")).join("")}}`,
    "\\toprule",
    line(head.map(({ label }) => label)),
    "\\midrule",
    ...rows.map(line),
    "\\bottomrule",
    "\\end{tabular}",
  ];
}

const commands: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "\\textquotedbl{}",
  "`": "\\textasciigrave{}",
  "'": "\\textquotesingle{}",
  µ: "\\textmu{}",
};

/**
 * Escapes untrusted text for a cell. `[` and `*` are grouped, since after a line end LaTeX would read them as its
 * argument. Negative numbers are set in math mode.
 */
export function latexText(text: string): string {
  const plain = terminalText(text.replaceAll(/\p{Cc}+/gu, " "));
  if (/^-\d/.test(plain) && Number.isFinite(Number(plain))) return `$${plain}$`;
  return plain.replaceAll(
    /[\\~^<>|"`'\u00b5#$%&_{}[\]*]/g,
    (sign) => commands[sign] ?? (/[[\]*]/.test(sign) ? `{${sign}}` : `\\${sign}`),
  );
}
