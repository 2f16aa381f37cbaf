import { quoteCommand } from "../../core/command-line.ts";
import { Failure } from "../../core/errors.ts";
import type { Values } from "../../core/value.ts";
import type { Generator } from "./generator.ts";
import { generatorOption as option, textOf } from "./generator.ts";
import { readFormat } from "./external-format.ts";

/** What a command of the user's leaves in a folder: each file is a workload, and its name tells values of it. */
export const external: Generator = Object.freeze<Generator>({
  kind: "generator",
  name: "external",
  synopsis: "the files that a command makes",
  options: [
    option(
      "external-generator",
      "text",
      null,
      "the command; no shell reads it. Runs in the tree that is measured, after execute.pre_run",
    ),
    option("output-dir", "text", null, "the folder where its files are then, counted from there"),
    option("file-format", "text", null, "what the names of files are made of: matrix_{rows}x{columns}.txt"),
    option("delimiters", "text", "{}", "the two characters around a name in file-format"),
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
      what: `no file in ${folder} is named like ${String(options.get("file-format"))}`,
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
