import type { TableBlock } from "./figure.ts";
import { terminalText } from "../text/terminal-text.ts";

/** A table as an environment of LaTeX with the package booktabs; numbers are set to the right. */
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
 * Untrusted text in a cell: no character of it is a command. `[` and `*` are grouped, since behind the end of a line
 * they would belong to it. Minus signs of numbers are set as such.
 */
export function latexText(text: string): string {
  const plain = terminalText(text.replaceAll(/\p{Cc}+/gu, " "));
  if (/^-\d/.test(plain) && Number.isFinite(Number(plain))) return `$${plain}$`;
  return plain.replaceAll(
    /[\\~^<>|"`'\u00b5#$%&_{}[\]*]/g,
    (sign) => commands[sign] ?? (/[[\]*]/.test(sign) ? `{${sign}}` : `\\${sign}`),
  );
}
