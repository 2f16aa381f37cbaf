import { type FailureData, type FailureKind, suggestion } from "./kind.ts";

/** Failures of imports: descriptions, benchmark reports, and the values in them. */
export const importFailures = {
  "unknown-unit": {
    exit: "badInput",
    message: (d) => `unknown unit '${d.unit}': ${d.problem}${suggestion(d)}`,
    remedy: () =>
      `write a base unit (Byte, s, FlOP, OP, …) with a prefix (K, Ki, M, …, n), joined by * and /, as in MiByte/s`,
  },
  "unit-mismatch": {
    exit: "badInput",
    message: (d) =>
      d.other
        ? `'${d.variable}' (${d.to}) and '${d.other}' (${d.from}) measure different things`
        : `${d.variable ? `'${d.variable}': ` : ""}cannot convert ${d.from} to ${d.to}: they measure different things`,
    remedy: () => `use the same kind of unit for both, or none`,
  },
  "notation-mismatch": {
    exit: "badInput",
    message: (d) => `'${d.variable}': ${d.problem}`,
    remedy: () => `remove the descriptor, or change the type of the variable`,
  },
  "bad-content": {
    exit: "badInput",
    message: (d) =>
      `'${d.value}' is no value for '${d.variable}' (${d.type}): ${d.problem}${d.location ? `, at ${d.location}` : ""}`,
    remedy: (d) =>
      `give ${/^[aeiou]/.test(String(d.type)) ? "an" : "a"} ${d.type}${d.example ? `, for example ${d.example}` : ""}`,
  },
  "content-not-allowed": {
    exit: "badInput",
    message: (d) => `'${d.value}' is not among the valid values of '${d.variable}'`,
    remedy: (d) => `valid are ${d.valid}`,
  },
  "content-too-long": {
    exit: "badInput",
    message: (d) =>
      `'${d.value}…' is too long for '${d.variable}': it has ${d.characters} characters, ${d.longest} are allowed`,
    remedy: (d) => `raise or remove the limit of '${d.variable}' in the experiment (longest=), or declare it as text`,
  },
  "content-does-not-fit": {
    exit: "badInput",
    message: (d) => `'${d.value}' does not fit '${d.variable}' (${d.type}): ${d.problem}`,
    remedy: () => `import into another experiment with -e NAME; it is created if it does not exist`,
  },
  "missing-content": {
    exit: "badInput",
    message: (d) =>
      `no value for ${d.occurrence === "once" ? "" : `row ${d.row} of `}'${d.variable}', which has no default`,
    remedy: (d) => `give it with -f ${d.variable}=…, or a default (NULL for "may be missing") in the experiment`,
  },
  "missing-definition": {
    exit: "badInput",
    message: (d) => `no value for ${d.variables}, which ${d.several ? "have" : "has"} no default`,
    remedy: (d) =>
      `add a location to the description, give it with -f ${d.first}=…, or choose another policy with --undefined`,
  },
  "fixed-twice": {
    exit: "usage",
    message: (d) => `'${d.variable}' is given twice`,
    remedy: () => `give each value once`,
  },
  "no-answer": {
    exit: "badInput",
    message: (d) => `no value given for '${d.variable}'`,
    remedy: (d) => `answer on the terminal or with lines on standard input, or give it with -f ${d.variable}=…`,
  },
  "nothing-to-describe": {
    exit: "badInput",
    message: (d) => `no table and no named number found in ${d.files}`,
    remedy: () => `give samples with numbers, or write the descriptions by hand: docs/input-descriptions.md`,
  },
  "sample-too-large": {
    exit: "badInput",
    message: (d) => `${d.path} has more than ${d.most} MiB, too much for a sample`,
    remedy: () => `give its beginning: head -c 1M FILE > sample.txt`,
  },
  "no-input-files": {
    exit: "usage",
    message: () => `a description has no files to read`,
    remedy: () => `name the files after it; - is standard input`,
  },
  "no-files-selected": {
    exit: "badInput",
    message: (d) => `${d.folder}: there is no file to read in this folder`,
    remedy: () => `--include and --exclude select files; hidden files, links and devices are skipped`,
  },
  "is-folder": {
    exit: "badInput",
    message: (d) => `${d.path}: is a directory`,
    remedy: () => `--recursive reads all files below it`,
  },
  "no-description": {
    exit: "usage",
    message: () => `an input description is required to read this input`,
    remedy: () => `give one with -i FILE; docs/input-descriptions.md describes the format`,
  },
  "description-error": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}:${d.column}: ${d.problem}${suggestion(d)}`,
    remedy: (d) => `${d.advice ?? "correct the description there"}`,
  },
  "pattern-error": {
    exit: "badInput",
    message: (d) => `invalid regular expression '${d.pattern}': ${d.problem}`,
    remedy: () => `patterns use the syntax of RE2: no look-around, no back-references`,
  },
  "not-in-xml": {
    exit: "badInput",
    message: (d) => `a text contains the control character ${d.code}, which XML does not allow`,
    remedy: () => `print the description in the other format, or remove the character`,
  },
  "already-imported": {
    exit: "badInput",
    message: (d) =>
      d.rows === undefined
        ? `${d.path} is already imported into '${d.experiment}' (run ${d.run}); nothing was imported`
        : `the ${d.rows} rows of ${d.path} are those of run ${d.run} of '${d.experiment}' (${d.file}); ` +
          `nothing was imported`,
    remedy: () => `--force imports it again`,
  },
  "bad-label": {
    exit: "usage",
    message: (d) => `'${d.label}' cannot be the label of a run: ${d.problem}`,
    remedy: () => `choose another label, or none: runs are then named after date and time`,
  },
  "label-taken": {
    exit: "badInput",
    message: (d) => `run ${d.run} of '${d.experiment}' has the label '${d.label}' already; nothing was changed`,
    remedy: (d) => `choose another label, or delete run ${d.run}`,
  },
  "given-twice": {
    exit: "badInput",
    message: (d) =>
      d.path === d.other
        ? `${d.path} is given twice; nothing was imported`
        : `${d.path} is identical to ${d.other}; nothing was imported`,
    remedy: () => `omit one of them, or import both with --force`,
  },
  "time-out-of-range": {
    exit: "badInput",
    message: (d) => `${d.what} is ${d.time}, outside of the years ${d.years ?? "1970 to 2222"}; nothing was stored`,
    remedy: (d) => `${d.advice}`,
  },
  "file-changed": {
    exit: "badInput",
    message: (d) => `${d.path} changed while it was read; nothing was imported`,
    remedy: () => `import it when no program writes to it`,
  },
  "input-too-long": {
    exit: "badInput",
    message: (d) => `the input is not a file and exceeds ${d.most} bytes; nothing was stored`,
    remedy: () => `write it to a file and import that, or raise the limit: --stream-limit 100GiByte, or none`,
  },
  "nothing-found": {
    exit: "badInput",
    message: (d) =>
      `no value of the description was found in ${counted(d.lines, "line")} of input` +
      (d.looked ? `, searched for ${d.looked}` : ""),
    remedy: () => `check that the description fits this file, or name the missing keyword as an alias`,
  },
  "damaged-report": {
    exit: "badInput",
    message: (d) => `${d.file}${d.line === undefined ? "" : `:${d.line}`}: ${d.problem}`,
    remedy: () =>
      `write it again with the program that created it, or name its format with --from (perfkeep ` +
      `import --list-formats)`,
  },
  "no-results": {
    exit: "badInput",
    message: (d) => `${d.file} has no benchmark result in the format ${d.format}`,
    remedy: () => `check that the benchmarks ran, or name the format with --from (perfkeep import --list-formats)`,
  },
  "no-result-column": {
    exit: "badInput",
    message: (d) => `${d.file} has no column of results: ${d.why}`,
    remedy: (d) =>
      (d.example === "" ? "" : `name a column of numbers with --params 'results: ${d.example}', or `) +
      `let perfkeep describe ${d.file} propose a description`,
  },
  "report-does-not-fit": {
    exit: "badInput",
    message: (d) => `variable '${d.variable}' does not fit experiment '${d.experiment}': ${d.problem}`,
    remedy: () => `import into another experiment with -e NAME; it is created if it does not exist`,
  },
  "several-formats": {
    exit: "badInput",
    message: (d) => `${d.first} is of format ${d.format}, and ${d.file} of format ${d.other}`,
    remedy: () => `import files of one format at a time: all of them are stored, or none`,
  },
  "unknown-report-format": {
    exit: "badInput",
    message: (d) => `${d.file}: unknown benchmark format`,
    remedy: () =>
      `perfkeep describe FILE proposes a description for import -d; import --explain FILE shows what was ` +
      `searched, --from FORMAT forces a format`,
  },
  "format-not-imported": {
    exit: "badInput",
    message: (d) => `${d.file}: this is ${d.format}, which perfkeep does not read`,
    remedy: () => `write the table as Parquet, CSV or JSON, and import that`,
  },
  "import-aborted": {
    exit: "badInput",
    message: (d) => `line ${d.line}: the description aborts the import at '${d.variable}' (mode abort)`,
    remedy: () => `the benchmark itself reports that it failed: run it again, or omit this input`,
  },
  "heading-mismatch": {
    exit: "badInput",
    message: (d) =>
      `line ${d.line} has ${counted(d.headings, "heading")}, the row at line ${d.row} ` +
      `${counted(d.entries, "entry", "entries")}: '${d.keyword}' names no column`,
    remedy: () => `give the column's number: pos=1 is the first`,
  },
  "heading-unclear": {
    exit: "badInput",
    message: (d) => `line ${d.line}: '${d.keyword}' selects no column of the table below: ${d.problem}`,
    remedy: () => `give the column's number: pos=1 is the first`,
  },
  "matrix-headings": {
    exit: "badInput",
    message: (d) =>
      `line ${d.line} has ${counted(d.headings, "entry", "entries")}, which are not ` +
      `the values of '${d.variable}' above ${d.cells === 0 ? "the cells" : counted(d.cells, "cell")} of line ${d.row}`,
    remedy: () => `let row= mark the line with the headings of the matrix, with the text before the first of them`,
  },
  "late-content": {
    exit: "badInput",
    message: (d) =>
      `line ${d.line}: '${d.variable}' appears more than ${d.rows} table rows after the start of its input set`,
    remedy: (d) => `declare '${d.variable}' with occurrence=once, or mark the sets with SEP`,
  },
  "split-mismatch": {
    exit: "badInput",
    message: (d) => `line ${d.line}: ${d.problem}`,
    remedy: () => `correct the input there, or the enter and leave locations of the description`,
  },
  "update-conflict": {
    exit: "badInput",
    message: (d) => `line ${d.line}: one row has values with update=yes and values with update=auto`,
    remedy: () => `use the same update for all values of a row in the description`,
  },
} satisfies Readonly<Record<string, FailureKind>>;

function counted(count: FailureData[string], noun: string, many = `${noun}s`): string {
  return `${String(count)} ${count === 1 ? noun : many}`;
}
