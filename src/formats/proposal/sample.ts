import { numbersIn, type NumberToken } from "./numbers.ts";

/** A sample output. `name` is its path as the user typed it. */
export interface SampleText {
  readonly name: string;
  readonly lines: readonly string[];
}

/** A value that a rule should catch. `line` is 1-based. */
export interface Cell {
  readonly sample: number;
  readonly line: number;
  readonly text: string;
}

/** A line of a sample with its numbers. */
export interface SampleLine {
  readonly sample: number;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly numbers: readonly NumberToken[];
}

/** Identifies a line among all samples. */
export function lineKey({ sample, line }: Pick<SampleLine, "sample" | "line">): string {
  return `${sample}:${line}`;
}

/** Lines longer than this are never tables or named values. */
const longestLine = 4000;

/** The lines of a text without line ends. */
export function sampleLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r+$/, ""));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** All lines of the samples with their numbers; those that are too long are empty. */
export function linesOf(samples: readonly SampleText[]): SampleLine[] {
  return samples.flatMap(({ lines }, sample) =>
    lines.map((line, at) => {
      const text = line.length > longestLine ? "" : line;
      return { sample, line: at + 1, text, numbers: numbersIn(text) };
    }),
  );
}

/** The lines with numbers that no rule catches. */
export function numericLines(samples: readonly SampleText[], caught: readonly Cell[]): SampleLine[] {
  const known = new Set(caught.map(lineKey));
  return linesOf(samples).filter((line) => line.numbers.length > 0 && !known.has(lineKey(line)));
}
