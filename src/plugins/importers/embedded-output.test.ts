import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readReport } from "../../../test/contracts/report-importer.ts";
import { builtins } from "../builtin.ts";
import { recognisingImporters, type Importer } from "./importer.ts";

/** Tables, and documents that are streamed, are read unchanged. */
const exempt = new Set(["csv", "ndjson", "parquet", "pytest-benchmark", "pyperf"]);

const importers = await Promise.all(
  builtins
    .filter(({ kind, name }) => kind === "importer" && !exempt.has(name))
    .map(async (each) => (await each.load()) as Importer),
);
const samples = importers.flatMap(({ name }) => samplesOf(name).map((path) => [name, path] as const));

/** The first two samples of each format, named after their importer. */
function samplesOf(name: string): string[] {
  const folder = `test/samples/${name}`;
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== "README.md",
  );
  const paths = files.map((entry) => `${folder}/${entry.name}`);
  return paths.filter((path) => finds(new Uint8Array(readFileSync(path)), name)).slice(0, 2);
}

function finds(bytes: Uint8Array, name: string): boolean {
  return recognisingImporters(importers, bytes.subarray(0, 1 << 16))[0]?.importer.name === name;
}

const before = [
  "   Compiling bench v0.1.0 (/srv/bench)",
  "  warning: unused variable: `x`",
  "  --> src/main.rs:3:5",
  "   |",
  "[100%] Built target bench",
  "",
].join("\n");
const after = "\nDone in 12.34s.\n##[endgroup]\nPost job cleanup.\n";

test("all formats but tables have samples", () => {
  expect(new Set(samples.map(([name]) => name)).size).toBeGreaterThan(35);
});

test.each(samples)(
  "%s is the same in a log, in UTF-16, with DOS line ends, and between other lines: %s",
  async (name, path) => {
    const importer = importers.find((each) => each.name === name)!;
    const text = readFileSync(path, "utf8").replace(/\n?$/, "\n");
    const plain = withoutLines(await readReport(importer, encoded(text)));
    const variants = [
      encoded(text.replaceAll("\n", "\r\n")),
      encoded(text.replaceAll(/^(?!$(?![^]))/gm, "2026-01-02T03:04:05.1234567Z ")),
      new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le")),
      // Documents are separate files, and with console.timeEnd any line may be a result.
      ...(/^\s*[<[{]/.test(text) || name === "console-time" ? [] : [encoded(before + text), encoded(text + after)]),
    ];
    for (const bytes of variants) {
      expect(finds(bytes, name)).toBe(true);
      expect(withoutLines(await readReport(importer, bytes))).toEqual(plain);
    }
  },
);

/** Notices name lines, whose numbers differ in a log. */
function withoutLines<T extends { readonly notices?: readonly string[] }>(reports: readonly T[]): T[] {
  return reports.map((report) => ({
    ...report,
    ...(report.notices && { notices: report.notices.map((each) => each.replace(/line \d+/g, "line N")) }),
  }));
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
