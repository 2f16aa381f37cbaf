import { Failure } from "../../core/errors.ts";

/** Columns and properties that rows have by themselves. */
const taken = ["uid", "type", "subtype", "amount", "order", "trace", "snapshot", "time", "workload"];

/** A pattern of file names: texts and named gaps in turn, beginning and ending with a text. */
export interface NameFormat {
  /** What stands in the gaps of `name`: plain decimal numbers as numbers. null when the name is not of this form. */
  read(name: string): ReadonlyMap<string, number | string> | null;
}

/**
 * Reads a pattern such as `matrix_{rows}x{columns}.txt`. A gap takes as little as possible, the last one whatever is left. Fails with
 * `bad-collector-option` when a gap has no name or a taken one, is not closed, or follows another without a text between.
 */
export function readFormat(format: string, [open, close]: readonly [string, string]): NameFormat {
  const texts: string[] = [];
  const names: string[] = [];
  let rest = format;
  for (let at = rest.indexOf(open); at >= 0; at = rest.indexOf(open)) {
    const end = rest.indexOf(close, at + 1);
    const name = rest.slice(at + 1, end < 0 ? undefined : end);
    if (end < 0 || !isFree(name, names) || (at === 0 && names.length > 0)) throw bad(format);
    texts.push(rest.slice(0, at));
    names.push(name);
    rest = rest.slice(end + 1);
  }
  texts.push(rest);
  return { read: (name) => readName(name, texts, names) };
}

function isFree(name: string, names: readonly string[]): boolean {
  return name !== "" && !taken.includes(name) && !names.includes(name);
}

function readName(
  file: string,
  texts: readonly string[],
  names: readonly string[],
): ReadonlyMap<string, number | string> | null {
  const [head = "", ...others] = texts;
  if (!file.startsWith(head)) return null;
  const found = new Map<string, number | string>();
  let at = head.length;
  for (const [index, name] of names.entries()) {
    const text = others[index] ?? "";
    const isLast = index === names.length - 1;
    const end = isLast ? file.length - text.length : file.indexOf(text, at + 1);
    if (end <= at || !file.startsWith(text, end)) return null;
    found.set(name, valueOf(file.slice(at, end)));
    at = end + text.length;
  }
  return at === file.length ? found : null;
}

function valueOf(text: string): number | string {
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function bad(value: string): Failure {
  const expected = `texts and named gaps in turn, and no gap named ${taken.join(", ")}`;
  return new Failure("bad-collector-option", {
    plugin: "external",
    option: "file-format",
    value,
    expected,
    example: "input_{size}.txt",
  });
}
