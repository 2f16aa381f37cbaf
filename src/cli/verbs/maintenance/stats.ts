import {
  cleanStats,
  deleteStats,
  getStats,
  listStats,
  putStats,
  syncStats,
  type StatsOfVersion,
  type StatsRemoval,
} from "../../../commands/maintenance/stats.ts";
import { abbreviate } from "../../../core/versions/digest.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalLines, terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure } from "../../print/figure.ts";
import { printRemoved } from "../../print/removed-files.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { minorOption } from "../options.ts";

const listOptions: readonly OptionSpec[] = [
  { flags: "-N, --top <count>", synopsis: "at most so many versions; 0: all", default: "20" },
  { flags: "-m, --from-minor <rev>", synopsis: "only this version and those before it" },
  { flags: "-s, --sort-by-size", synopsis: "the largest first" },
  { flags: "-t, --no-total-size", synopsis: "without the sum" },
];

const nameOperand = { name: "<name>", synopsis: "name of the file of statistics" };
const keepOption: OptionSpec = {
  flags: "-k, --keep-directory",
  synopsis: "keep folders of versions that become empty",
};

const deletion: Verb = {
  name: "delete",
  summary: "delete statistics",
  subverbs: [
    {
      name: "file",
      summary: "delete a file of statistics",
      operands: [nameOperand],
      options: [
        { flags: "-m, --in-minor <rev>", synopsis: "of which version (default: the head); . means of all" },
        keepOption,
      ],
      formats: ["json"],
      run: (session, args) =>
        remove(session, args, { name: args.operand(0), ...minorOf(args.text("inMinor") ?? "HEAD") }),
    },
    {
      name: "minor",
      summary: "delete all statistics of a version",
      operands: [{ name: "<rev>", synopsis: "the version" }],
      options: [keepOption],
      formats: ["json"],
      run: (session, args) => remove(session, args, { minor: args.operand(0) }),
    },
    {
      name: "all",
      aliases: ["."],
      summary: "delete all statistics of all versions",
      options: [keepOption],
      formats: ["json"],
      run: (session, args) => remove(session, args, {}),
    },
  ],
};

export const stats: Verb = {
  name: "stats",
  summary: "manage statistics files of commits",
  examples: ["perfkeep stats list-files", "perfkeep stats get coverage"],
  details:
    "A file of statistics is a JSON object that has an object under each id. Perun reads and writes the same files.",
  subverbs: [
    {
      name: "list-files",
      summary: "list the files of statistics",
      options: [
        ...listOptions,
        { flags: "-f, --no-file-size", synopsis: "without sizes" },
        { flags: "-i, --no-minor", synopsis: "without versions" },
      ],
      formats: ["json", "csv", "markdown", "html"],
      run: listFiles,
    },
    {
      name: "list-versions",
      summary: "list the versions that have statistics",
      options: [
        ...listOptions,
        { flags: "-f, --no-file-count", synopsis: "without numbers of files" },
        { flags: "-d, --no-dir-size", synopsis: "without sizes" },
      ],
      formats: ["json", "csv", "markdown", "html"],
      run: listVersions,
    },
    {
      name: "get",
      summary: "print a file of statistics, or one entry of it",
      operands: [nameOperand, { name: "[id]", synopsis: "only this entry" }],
      options: [minorOption],
      formats: [],
      run: get,
    },
    {
      name: "put",
      summary: "keep an entry of statistics",
      operands: [
        nameOperand,
        { name: "<id>", synopsis: "the entry" },
        { name: "<file>", synopsis: "a file with a JSON object; - is standard input" },
      ],
      options: [minorOption, { flags: "--merge", synopsis: "keep the members of the entry that the file has not" }],
      run: put,
    },
    deletion,
    {
      name: "clean",
      summary: "delete what does not belong among statistics, and empty folders",
      options: [
        { flags: "-c, --keep-custom", synopsis: "keep files and folders that are no statistics" },
        { flags: "-e, --keep-empty", synopsis: "keep folders of versions without files" },
      ],
      formats: ["json"],
      async run(session, args) {
        const removed = await cleanStats(session.workspace, {
          foreign: args.flag("keepCustom"),
          empty: args.flag("keepEmpty"),
        });
        return printRemoved(session, removed);
      },
    },
    {
      name: "sync",
      summary: "make the list of versions true again",
      async run(session) {
        const count = await syncStats(session.workspace);
        session.output.data(`${count} versions have statistics\n`);
        return exitStatus.fine;
      },
    },
  ],
};

async function listed(session: Session, args: Arguments): Promise<StatsOfVersion[]> {
  const [top, from] = [args.count("top") ?? 0, args.text("fromMinor")];
  const found = await listStats(session.workspace, {
    ...(top === 0 ? {} : { top }),
    ...(from === undefined ? {} : { from }),
  });
  if (found.length === 0 && session.format === "text") session.output.note("there are no statistics");
  return args.flag("sortBySize") ? found.toSorted((a, b) => b.size - a.size) : found;
}

async function listFiles(session: Session, args: Arguments): Promise<number> {
  const found = await listed(session, args);
  if (session.format === "json") return document(session, found);
  const rows = found.flatMap(({ version, date, files }) => files.map((file) => ({ version, date, ...file })));
  if (args.flag("sortBySize")) rows.sort((a, b) => b.size - a.size);
  const columns: Column<(typeof rows)[number]>[] = [
    { label: "name", cell: ({ name }) => name },
    ...(args.flag("fileSize") ? [sizeColumn] : []),
    ...(args.flag("minor") ? [versionColumn, dateColumn] : []),
  ];
  return print(session, args, rows, columns);
}

async function listVersions(session: Session, args: Arguments): Promise<number> {
  const found = await listed(session, args);
  if (session.format === "json") return document(session, found);
  const columns: Column<StatsOfVersion>[] = [
    versionColumn,
    dateColumn,
    ...(args.flag("fileCount")
      ? [{ label: "files", cell: ({ files }: StatsOfVersion) => String(files.length), right: true }]
      : []),
    ...(args.flag("dirSize") ? [sizeColumn] : []),
  ];
  return print(session, args, found, columns);
}

function document({ output }: Session, versions: readonly StatsOfVersion[]): number {
  output.document("perfkeep.stats/1", { versions });
  return exitStatus.fine;
}

interface Column<Row> {
  readonly label: string;
  readonly right?: boolean;
  readonly cell: (row: Row) => string;
}

const versionColumn: Column<{ readonly version: StatsOfVersion["version"] }> = {
  label: "version",
  cell: ({ version }) => abbreviate(version),
};
const dateColumn: Column<{ readonly date: string }> = { label: "date", cell: ({ date }) => date };
const sizeColumn: Column<{ readonly size: number }> = { label: "bytes", right: true, cell: ({ size }) => String(size) };

async function print<Row extends { readonly size: number }>(
  session: Session,
  args: Arguments,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Promise<number> {
  const head = columns.map(({ label, right }) => ({
    label,
    align: right === true ? ("right" as const) : ("left" as const),
  }));
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  if (rows.length > 0 || session.format !== "text")
    session.output.data(
      await renderFigure(session, { title: "", blocks: [{ kind: "table", head, rows: cells }] }, session.format),
    );
  const total = rows.reduce((sum, { size }) => sum + size, 0);
  if (args.flag("totalSize") && rows.length > 0 && session.format === "text")
    session.output.data(`${total} bytes in all\n`);
  return exitStatus.fine;
}

async function get(session: Session, args: Arguments): Promise<number> {
  const bytes = await getStats(
    session.workspace,
    { name: args.operand(0), ...minorOf(args.text("minor")) },
    args.maybeOperand(1),
  );
  session.output.data(session.output.toTerminal ? terminalLines(new TextDecoder().decode(bytes)) : bytes);
  return exitStatus.fine;
}

async function put(session: Session, args: Arguments): Promise<number> {
  const place = { name: args.operand(0), ...minorOf(args.text("minor")) };
  const version = await putStats(session.workspace, {
    ...place,
    id: args.operand(1),
    file: args.operand(2),
    merge: args.flag("merge"),
  });
  session.output.data(`${terminalText(args.operand(1))} in ${terminalText(place.name)} of ${abbreviate(version)}\n`);
  return exitStatus.fine;
}

async function remove(session: Session, args: Arguments, what: Omit<StatsRemoval, "keepFolders">): Promise<number> {
  return printRemoved(
    session,
    await deleteStats(session.workspace, { ...what, keepFolders: args.flag("keepDirectory") }),
  );
}

function minorOf(rev: string | undefined): { readonly minor?: string } {
  return rev === undefined || rev === "." ? {} : { minor: rev };
}
