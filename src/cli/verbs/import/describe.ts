import { join } from "node:path";
import { describeSamples, type DescribedSample, type DescribeResult } from "../../../commands/describe/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { counted, terminalLines, terminalText } from "../../../core/text/index.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";

/** Lines without a rule that are printed for each sample; --format json has all. */
const mostLines = 10;
const mostNotices = 5;

export const describe: Verb = {
  name: "describe",
  summary: "propose an experiment and an input description for sample files",
  details: [
    "Finds tables, named values and parameters in the names of files and folders, by rules and without a network. The",
    "importer reads the samples with the proposal: each rule is printed with the values it caught, then the lines with",
    "numbers that no rule reads. Give several samples of one kind to find what is constant and what varies.",
    "",
    "-o writes NAME.exp and NAME.inp into a folder. Edit them, then create the experiment and import:",
    "  perfkeep describe -e net -o . results/np*/osu_*.txt",
    "  perfkeep experiment create net.exp",
    "  perfkeep import -d net.inp results/np*/osu_*.txt",
  ].join("\n"),
  operands: [{ name: "<file...>", synopsis: "sample output of a benchmark; - is standard input" }],
  options: [
    { flags: "-e, --experiment <name>", synopsis: "name of the experiment (default: from the names of the files)" },
    { flags: "-o, --output-dir <folder>", synopsis: "write NAME.exp and NAME.inp into this folder" },
    { flags: "--force", synopsis: "overwrite these files" },
    { flags: "--format <format>", synopsis: "format of the report (default: text)", choices: ["text", "json"] },
  ],
  async run(session, args) {
    const name = args.text("experiment");
    const result = await describeSamples(session.workspace, {
      files: args.rest(0),
      ...(name === undefined ? {} : { name }),
    });
    const folder = args.text("outputDir");
    const written = folder === undefined ? [] : writeFiles(session, folder, result, args.flag("force"));
    if (args.text("format") === "json") session.output.document("perfkeep.describe/1", { ...result, written });
    else printReport(session, result, written);
    return exitStatus.fine;
  },
};

function writeFiles(session: Session, folder: string, result: DescribeResult, force: boolean): string[] {
  const files = [
    { name: `${result.name}.exp`, text: result.experiment },
    { name: `${result.name}.inp`, text: result.input },
  ];
  const paths = files.map(({ name }) => join(folder, name));
  const { files: existing } = session.workspace;
  const taken = force ? undefined : paths.find((path) => existing.inspect(path) !== null);
  if (taken !== undefined) throw new Failure("description-exists", { path: taken });
  for (const { name, text } of files) session.output.saveBelow(existing.resolve(folder), name, text);
  return paths;
}

function printReport({ output }: Session, result: DescribeResult, written: readonly string[]): void {
  const { name, experiment, input, omitted, misread } = result;
  output.data(`# ${name}.exp\n${terminalLines(experiment)}\n# ${name}.inp\n${terminalLines(input)}\n`);
  printRules({ output }, result);
  for (const sample of result.samples) printSample({ output }, sample);
  if (omitted > 0) output.data(`${counted(omitted, "variable")} left out: an experiment cannot have more\n`);
  if (misread.length > 0)
    output.data(`left out, since import would read other values: ${terminalText(misread.join(", "))}\n`);
  for (const path of written) output.data(`written: ${terminalText(path)}\n`);
  if (result.knownFormat !== null)
    output.note(`import reads this format, ${result.knownFormat}, without a description: perfkeep import FILE`);
  if (written.length === 0) output.note("Nothing was written. -o FOLDER writes the two files.");
}

function printRules({ output }: Pick<Session, "output">, { rules, samples }: DescribeResult): void {
  output.data(`# caught in ${counted(samples.length, "sample")}\n`);
  const width = Math.min(40, Math.max(...rules.map(({ variable }) => variable.length)));
  for (const { variable, role, values, first, constant } of rules) {
    const amount = `${String(values).padStart(6)} ${values === 1 ? "value " : "values"}`;
    const example = constant ? `always ${first}` : first;
    output.data(terminalText(`${variable.padEnd(width)} ${role.padEnd(9)} ${amount}  ${example.slice(0, 60)}`) + "\n");
  }
}

function printSample({ output }: Pick<Session, "output">, { file, rows, unread, notices }: DescribedSample): void {
  const name = terminalText(file);
  output.data(
    `\n# ${name}: ${counted(rows, "row")}; ${counted(unread.length, "line")} with numbers and without a rule\n`,
  );
  for (const { line, text } of unread.slice(0, mostLines))
    output.data(`${name}:${line}: ${terminalText(text.slice(0, 100))}\n`);
  if (unread.length > mostLines) output.data(`… ${unread.length - mostLines} more: --format json lists all\n`);
  for (const { line, text } of notices.slice(0, mostNotices)) output.note(`${name}:${line}: ${text}`);
}
