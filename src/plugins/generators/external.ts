import { quoteCommand } from "../../core/text/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Values } from "../../core/values/index.ts";
import { type Generator, generatorOption as option, textOf } from "./generator.ts";

/** Reserved names: built-in columns and properties of rows. */
const reserved = ["uid", "type", "subtype", "amount", "order", "trace", "snapshot", "time", "workload"];

/** A pattern of file names: literal texts alternating with named placeholders. */
interface NameFormat {
  /** The placeholder values of `name`, decimal numbers as numbers; null if it does not match. */
  read(name: string): ReadonlyMap<string, number | string> | null;
}

/**
 * Parses a pattern such as `matrix_{rows}x{columns}.txt`. Placeholders match as little as possible, the last one
 * matches the rest. Fails with `bad-collector-option` when a placeholder has no name or a reserved one, is not closed,
 * or follows another directly.
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
  return name !== "" && !reserved.includes(name) && !names.includes(name);
}

function readName(
  file: string,
  texts: readonly string[],
  names: readonly string[],
): ReadonlyMap<string, number | string> | null {
  const [head = "", ...others] = texts;
  if (!file.startsWith(head)) return null;
  const values = new Map<string, number | string>();
  let at = head.length;
  for (const [index, name] of names.entries()) {
    const text = others[index] ?? "";
    const isLast = index === names.length - 1;
    const end = isLast ? file.length - text.length : file.indexOf(text, at + 1);
    if (end <= at || !file.startsWith(text, end)) return null;
    values.set(name, valueOf(file.slice(at, end)));
    at = end + text.length;
  }
  return at === file.length ? values : null;
}

function valueOf(text: string): number | string {
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function bad(value: string): Failure {
  const expected = `texts and named placeholders in turn, and no placeholder named ${reserved.join(", ")}`;
  return new Failure("bad-collector-option", {
    plugin: "external",
    option: "file-format",
    value,
    expected,
    example: "input_{size}.txt",
  });
}

/** Files created by a user command: each is a workload, whose parameters are parsed from its name. */
export const external: Generator = Object.freeze<Generator>({
  kind: "generator",
  name: "external",
  synopsis: "files created by a command",
  options: [
    option(
      "external-generator",
      "text",
      null,
      "command, run without a shell in the measured tree, after execute.pre_run",
    ),
    option("output-dir", "text", null, "folder of the created files, relative to the tree"),
    option("file-format", "text", null, "pattern of file names: matrix_{rows}x{columns}.txt"),
    option("delimiters", "text", "{}", "the two delimiters of placeholders in file-format"),
  ],
  spellings: { generator: "external-generator" },
  needsTree: true,

  async generate(options, world) {
    const format = readFormat(
      textOf(this, options, "file-format", "matrix_{rows}x{columns}.txt"),
      delimitersOf(options),
    );
    const folder = textOf(this, options, "output-dir", "inputs");
    await world.run(textOf(this, options, "external-generator", "./make-inputs 10"));
    const workloads = world.files(folder).flatMap(({ name, path }) => {
      const facts = format.read(name);
      return facts === null
        ? []
        : [{ words: quoteCommand([path]), title: name, facts: new Map([["workload", name], ...facts]) }];
    });
    if (workloads.length > 0) return workloads;
    throw new Failure("generator-failed", {
      what: `no file in ${folder} matches ${String(options.get("file-format"))}`,
    });
  },
});

function delimitersOf(options: Values): readonly [string, string] {
  const value = String(options.get("delimiters") ?? "");
  const [open = "", close = "", ...rest] = value;
  if (open !== "" && close !== "" && rest.length === 0) return [open, close];
  const expected = "two characters";
  throw new Failure("bad-collector-option", {
    plugin: "external",
    option: "delimiters",
    value,
    expected,
    example: "{}",
  });
}
