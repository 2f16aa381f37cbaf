import {
  InvalidValue,
  parseUnit,
  readFloat,
  readValue,
  scanDuration,
  type Unit,
  type Value,
} from "../../core/values/index.ts";
import { prefixedNumber } from "../text/index.ts";
import type { ColumnDraft } from "./drafts.ts";
import { unitOfHeading } from "./number-names.ts";

const prefixed = /^([-+]?[\d.]+(?:[eE][-+]?\d+)?)([kKMGT])(i?)$/;
/** A factor: `1.53x`. */
const factor = /^[-+.\d]+(?:[eE][-+]?\d+)?x$/;

/** Names of amounts of memory, whose prefixes are powers of 1024. */
const memory = new RegExp(
  "(?:^|[^a-z])(?:max|ave?|min|req)?" +
    "(?:[rpu]ss|vms?|vmem|vmsize|mem|memory|virt|res|shr|swap|heap|bytes?|size|used|avail|free|disk(?:read|write))" +
    "(?![a-z])",
  "i",
);

/** Times that are surely spans, and those that may be times of day. */
const surelyDuration = /^(?:\d+-\d{1,2}:\d{2}:\d{2}(?:\.\d+)?|\d+:\d{2}\.\d+)$/;
const duration = /^(?:\d+-)?\d+:\d{2}:\d{2}(?:\.\d+)?$|^\d+:\d{2}\.\d+$/;
const durationName =
  /elapsed|duration|(?:cpu|wall|run|used|total|up|user|sys)[ _-]?time|wall[ _-]?clock|limit|time[ _-]?(?:used|left)/i;
const timestamp = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?$/;
/** Entries for times that are not known. */
const unknownTime = /^(?:unknown|n\/a|none|-+|unlimited|partition_limit)$/i;

const byte = parseUnit("Byte");

/** The column with the descriptors that its numbers and times need: `prefixes`, a filter of `x`, a type of time. */
export function spelled(column: ColumnDraft, isTable: boolean): ColumnDraft {
  if (column.type === "text") return timed(column, isTable);
  if (column.type !== "number") return column;
  const texts = column.cells.map(({ text }) => text);
  if (texts.some((text) => factor.test(text)))
    return { ...column, filters: [...(column.filters ?? []), { source: "x$", ignoreCase: false }] };
  const signs = texts.flatMap((text) => prefixed.exec(text)?.[3] ?? []);
  if (signs.length === 0) return column;
  const unit = column.unit ?? unitOfHeading(column.heading);
  const isMemory = isBytes(unit) || (unit === undefined && memory.test(column.heading));
  if (!isMemory && (unit !== undefined || !signs.every((sign) => sign === "i")))
    return { ...column, prefixes: "decimal" };
  return { ...column, unit: unit ?? byte, prefixes: "binary" };
}

function isBytes(unit: Unit | undefined): boolean {
  const [first, ...others] = unit?.factors ?? [];
  return first?.base === "Byte" && first.prefix === "" && others.length === 0;
}

/** Texts that are all times of one kind, but for those that are not known. */
function timed(column: ColumnDraft, isTable: boolean): ColumnDraft {
  const unknown = [...new Set(column.cells.map(({ text }) => text).filter((text) => unknownTime.test(text)))];
  const cells = column.cells.filter(({ text }) => !unknown.includes(text));
  const all = (pattern: RegExp): boolean => cells.every(({ text }) => pattern.test(text));
  const isSure = durationName.test(column.heading) || cells.some(({ text }) => surelyDuration.test(text));
  const type = all(timestamp) ? "timestamp" : all(duration) && isSure ? "duration" : undefined;
  if (type === undefined || cells.length === 0 || (unknown.length > 0 && !isTable)) return column;
  if (cells.some(({ text }) => timeOf(text, type) === null)) return column;
  const { wholeRest: _, ...rest } = column;
  return { ...rest, type, cells, ...(unknown.length > 0 ? { missing: unknown } : {}) };
}

/** Seconds, or an instant; null: the text is no such time. */
function timeOf(text: string, type: "duration" | "timestamp"): Value {
  const value = type === "duration" ? scanDuration(text) : readValue(text, type);
  if (value instanceof InvalidValue) return null;
  return typeof value === "object" ? value.seconds : value;
}

/** The value that a cell of the column should have. */
export function expectedValue({ type, prefixes: base }: ColumnDraft, text: string): Value {
  if (type === "text") return text;
  if (type !== "number") return timeOf(text, type);
  const plain = readFloat(text);
  if (typeof plain === "number") return plain;
  const [, digits = "", prefix = "", sign = ""] = prefixed.exec(text) ?? [];
  if (prefix === "") return Number(text.replace(/x$/, "").replace(/d/i, "e"));
  return prefixedNumber(digits, sign === "i" || base === "binary" ? `${prefix}i` : prefix);
}
