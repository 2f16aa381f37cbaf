import type { TableValue } from "../../../../formats/descriptions/index.ts";
import { floatOf, integerOf } from "../../../../formats/bytes/index.ts";
import type { PresentValue } from "../value-reader.ts";
import type { TypedText } from "./typed-text.ts";

/** A column of a stream table. */
export class StreamColumn {
  readonly location: TableValue;
  readonly typed: TypedText;
  /** Index of the column in the batch; -1: once per run. */
  readonly target: number;
  /** 0-based entry of the row; -1: after a keyword. */
  readonly entry: number;
  /** Reads plain numbers from bytes; NaN: the text has to be read. */
  readonly fast: ((bytes: Uint8Array, start: number, end: number) => number) | undefined;
  /** The value for text that is not a number. */
  readonly fallback: PresentValue | undefined;
  /** Rows without a value are skipped; texts may be empty. */
  readonly needsValue: boolean;

  constructor(location: TableValue, typed: TypedText, target: number, entry: number) {
    this.location = location;
    this.typed = typed;
    this.target = target;
    this.entry = entry;
    this.fallback = typed.variable.default ?? undefined;
    this.needsValue = typed.variable.type !== "string" && typed.variable.type !== "text";
    this.fast = typed.isPlainNumber ? fastReader(typed.variable) : undefined;
  }
}

function fastReader({ type, size = 8 }: TypedText["variable"]): StreamColumn["fast"] {
  if (type === "float") return floatOf;
  if (size === 8) return integerOf;
  const most = size === 4 ? 2_147_483_647 : 32_767;
  return (bytes, start, end) => {
    const value = integerOf(bytes, start, end);
    return value <= most && value >= -most - 1 ? value : Number.NaN;
  };
}
