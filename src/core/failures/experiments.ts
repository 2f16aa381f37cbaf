import type { FailureKind } from "./kind.ts";

/** Failures of experiments: descriptions, imports, queries, the database. */
export const experimentFailures = {
  "unknown-experiment": {
    exit: "nothingMatched",
    message: (d) => `unknown experiment '${d.experiment}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: () => `perfkeep experiment list shows those that exist`,
  },
  "dump-damaged": {
    exit: "badInput",
    message: (d) => `${d.path} is no whole dump of an experiment: ${d.problem}`,
    remedy: () => `nothing was restored; copy or dump it again`,
  },
  "no-commits": {
    exit: "nothingMatched",
    message: (d) => `no run of '${d.experiment}' that was asked for belongs to a commit`,
    remedy: () => `import where the repository is checked out, or export to a format that needs no commits`,
  },
  "no-dump-file": {
    exit: "usage",
    message: (d) => `nothing says where the dump of '${d.experiment}' is to be written`,
    remedy: (d) => `name a file: -o ${d.experiment}.tar.gz`,
  },
  "dump-newer": {
    exit: "badInput",
    message: (d) => `${d.path} is a dump of a newer form ('${d.found}')`,
    remedy: () => `nothing was restored; use the perfkeep that wrote it, or a newer one`,
  },
  "dump-lacks-objects": {
    exit: "nothingMatched",
    message: (d) => `not everything that '${d.experiment}' was made from is whole on this machine: ${d.lost}`,
    remedy: () => `dump it where its files were imported, or add --without-raw: what lacks is noted in the dump then`,
  },
  "unknown-unit": {
    exit: "badInput",
    message: (d) => `unknown unit '${d.unit}': ${d.problem}${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: () =>
      `write a base unit (Byte, s, FlOP, OP, …) with a prefix (K, Ki, M, …, n), joined by * and /, as in MiByte/s`,
  },
  "unit-mismatch": {
    exit: "badInput",
    message: (d) =>
      d.other
        ? `'${d.variable}' (${d.to}) and '${d.other}' (${d.from}) measure different things`
        : `${d.variable ? `'${d.variable}': ` : ""}cannot convert ${d.from} to ${d.to}: they measure different things`,
    remedy: () => `give both the same kind of unit, or none`,
  },
  "bad-content": {
    exit: "badInput",
    message: (d) =>
      `'${d.content}' is no content for '${d.variable}' (${d.type}): ${d.problem}${d.place ? `, at ${d.place}` : ""}`,
    remedy: (d) =>
      `give ${/^[aeiou]/.test(String(d.type)) ? "an" : "a"} ${d.type}${d.example ? `, for example ${d.example}` : ""}`,
  },
  "content-not-allowed": {
    exit: "badInput",
    message: (d) => `'${d.content}' is not among the valid contents of '${d.variable}'`,
    remedy: (d) => `valid are ${d.valid}`,
  },
  "content-too-long": {
    exit: "badInput",
    message: (d) =>
      `'${d.content}…' is no content for '${d.variable}': it has ${d.characters} characters, ${d.longest} are allowed`,
    remedy: (d) => `raise or lift the limit of '${d.variable}' in the experiment (longest=), or declare it as text`,
  },
  "missing-definition": {
    exit: "badInput",
    message: (d) =>
      `nothing says where to find the content of ${d.variables}, which ${d.several ? "have" : "has"} no default`,
    remedy: (d) =>
      `add a location to the description, give it with -f ${d.first}=…, or choose another policy with --undefined`,
  },
  "no-experiment-named": {
    exit: "usage",
    message: () => `nothing says which experiment is meant`,
    remedy: () => `name it with -e, in the description (EXPERIMENT, <experiment>), or in PERFKEEP_EXPERIMENT`,
  },
  "no-input-files": {
    exit: "usage",
    message: () => `a description has no files to read`,
    remedy: () => `name the files behind it; - is standard input`,
  },
  "wrong-attachment": {
    exit: "usage",
    message: (d) => `attachment '${d.name}' is no ${d.wanted} description but of kind ${d.kind}`,
    remedy: () => `perfkeep attach list shows what is attached`,
  },
  "replay-differs": {
    exit: "found",
    message: (d) => `importing the kept files of '${d.experiment}' again gives other runs than before (run ${d.run})`,
    remedy: () => `use the perfkeep that imported them; the database as it is was left alone`,
  },
  "no-answer": {
    exit: "badInput",
    message: (d) => `nobody answered what the content of '${d.variable}' is`,
    remedy: (d) => `answer on the terminal or by lines on standard input, or give it with -f ${d.variable}=…`,
  },
  "experiment-changed": {
    exit: "host",
    message: (d) => `experiment '${d.experiment}' was changed while the input was read; nothing was imported`,
    remedy: () => `import again`,
  },
  "unknown-column": {
    exit: "usage",
    message: (d) => `there is no column '${d.column}'`,
    remedy: (d) => `the table has ${d.known}`,
  },
  "missing-content": {
    exit: "badInput",
    message: (d) =>
      `no content for ${d.occurrence === "once" ? "" : `row ${d.row} of `}'${d.variable}', which has no default`,
    remedy: (d) => `give it with -f ${d.variable}=…, or a default (NULL for "may be missing") in the experiment`,
  },
  "unknown-variable": {
    exit: "badInput",
    message: (d) =>
      `experiment '${d.experiment}' has no parameter or result '${d.variable}'${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) => `it has ${d.known}`,
  },
  "description-error": {
    exit: "badInput",
    message: (d) => `${d.file}:${d.line}:${d.column}: ${d.problem}${d.near ? `, did you mean ${d.near}?` : ""}`,
    remedy: (d) => `${d.advice ?? "correct the description there"}`,
  },
  "nothing-found": {
    exit: "badInput",
    message: (d) =>
      `no value of the description was found in ${d.lines === 1 ? "1 line" : `${d.lines} lines`} of input${d.looked ? `, looked for ${d.looked}` : ""}`,
    remedy: () => `check that the description fits this file, or name the missing keyword as an alias`,
  },
  "damaged-report": {
    exit: "badInput",
    message: (d) => `${d.file}${d.line === undefined ? "" : `:${d.line}`}: ${d.problem}`,
    remedy: () =>
      `let the program write it again, or say with --from what format it is (perfkeep import --list-formats)`,
  },
  "no-results": {
    exit: "badInput",
    message: (d) => `${d.file} has no result of a benchmark in the format ${d.format}`,
    remedy: () =>
      `check that the benchmarks ran, or say with --from what format it is (perfkeep import --list-formats)`,
  },
  "report-does-not-fit": {
    exit: "badInput",
    message: (d) => `variable '${d.variable}' does not fit into experiment '${d.experiment}': ${d.problem}`,
    remedy: () => `import into another experiment with -e NAME, which is made if it is not there`,
  },
  "content-does-not-fit": {
    exit: "badInput",
    message: (d) => `'${d.content}' does not fit into '${d.variable}' (${d.type}): ${d.problem}`,
    remedy: () => `import into another experiment with -e NAME, which is made if it is not there`,
  },
  "several-formats": {
    exit: "badInput",
    message: (d) => `${d.first} is of format ${d.format}, and ${d.file} of format ${d.other}`,
    remedy: () => `import files of one format at a time: all of them are stored, or none`,
  },
  "unknown-report-format": {
    exit: "badInput",
    message: (d) => `${d.file}: its first bytes are of no format of benchmarks that is known`,
    remedy: () =>
      `perfkeep import --explain FILE shows what was looked for; --from FORMAT takes one all the same, -d FILE describes any text`,
  },
  "input-too-long": {
    exit: "badInput",
    message: (d) => `the input is no file and has more than ${d.most} bytes, perhaps no end; nothing of it was kept`,
    remedy: () => `write it to a file and import that, or say how much is fine: --stream-limit 100GiByte, or none`,
  },
  "import-aborted": {
    exit: "badInput",
    message: (d) => `line ${d.line}: the description gives up here, at '${d.variable}' (mode abort)`,
    remedy: () => `the benchmark itself tells that it failed: repeat it, or leave this input out`,
  },
  "no-description": {
    exit: "usage",
    message: () => `an input description is needed to read this input`,
    remedy: () => `give one with -i FILE; docs/input-descriptions.md says how to write it`,
  },
  "heading-mismatch": {
    exit: "badInput",
    message: (d) =>
      `line ${d.line} has ${d.headings === 1 ? "1 heading" : `${d.headings} headings`}, the row at line ${d.row} ${d.entries === 1 ? "1 entry" : `${d.entries} entries`}: '${d.keyword}' names no column`,
    remedy: () => `give the column's number: pos=1 is the first`,
  },
  "late-content": {
    exit: "badInput",
    message: (d) =>
      `line ${d.line}: '${d.variable}' stands more than ${d.rows} table rows behind the beginning of its input set`,
    remedy: (d) => `declare '${d.variable}' with occurrence=once, or mark the sets with SEP`,
  },
  "update-refused": {
    exit: "badInput",
    message: (d) => `experiment '${d.experiment}' cannot be updated: ${d.problem}`,
    remedy: (d) => `${d.advice ?? "correct the update"}; nothing was changed`,
  },
  "split-mismatch": {
    exit: "badInput",
    message: (d) => `line ${d.line}: ${d.problem}`,
    remedy: () => `correct the input there, or the enter and leave locations of the description`,
  },
  "update-conflict": {
    exit: "badInput",
    message: (d) => `line ${d.line}: contents with update=yes and with update=auto meet in one data set`,
    remedy: () => `give all contents that stand in one data set the same update in the description`,
  },
  "not-in-xml": {
    exit: "badInput",
    message: (d) => `a text holds the control character ${d.code}, which XML cannot hold`,
    remedy: () => `print the description in the other spelling, or remove the character`,
  },
  "pattern-error": {
    exit: "badInput",
    message: (d) => `bad regular expression '${d.pattern}': ${d.problem}`,
    remedy: () => `patterns are RE2's: no look-around, no back-references`,
  },
} satisfies Readonly<Record<string, FailureKind>>;
