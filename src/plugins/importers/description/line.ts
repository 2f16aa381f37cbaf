import type { ByteText } from "../../../formats/text/text-encoding.ts";

/** One line of a block; offsets are relative to the block. */
export interface Line {
  readonly block: ByteText;
  readonly start: number;
  /** Offset of the newline. */
  readonly end: number;
  /** 1-based, in the input. */
  readonly number: number;
  /** The text from an offset to the end of the line, without carriage return. */
  rest(from: number): string;
  /** The text from the beginning of the line to an offset. */
  before(to: number): string;
}

export function lineAt(block: ByteText, start: number, number: number, foreign: () => void): Line {
  const newline = block.text.indexOf("\n", start);
  const end = newline < 0 ? block.text.length : newline;
  const last = end > start && block.bytes[end - 1] === 13 ? end - 1 : end;
  return {
    block,
    start,
    end,
    number,
    rest: (from) => block.textBetween(Math.min(from, last), last, foreign),
    before: (to) => block.textBetween(start, Math.min(to, last), foreign),
  };
}
