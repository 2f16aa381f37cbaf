import { commitJson, isoTime, renderFigure, printRemoved } from "../../print/index.ts";
import {
  cleanStats,
  deleteStats,
  getStats,
  listStats,
  putStats,
  syncStats,
  type StatsOfVersion,
  type StatsRemoval,
} from "../../../commands/maintenance/index.ts";
import { abbreviate } from "../../../core/versions/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import { terminalLines, terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { minorOption } from "../options.ts";

const listOptions: readonly OptionSpec[] = [
  { flags: "-N, --top <count>", synopsis: "maximum number of commits; 0: all", default: "20" },
  { flags: "-m, --from-minor <rev>", synopsis: "only this commit and its ancestors" },
  { flags: "-s, --sort-by-size", synopsis: "sort by size, largest first" },
  { flags: "-t, --no-total-size", synopsis: "omit the total" },
];

const nameOperand = { name: "<name>", synopsis: "name of the statistics file" };
const keepOption: OptionSpec = {
  flags: "-k, --keep-directory",
  synopsis: "keep folders that become empty",
};

const deletion: Verb = {
  name: "delete",
  summary: "delete statistics",
  subverbs: [
    {
      name: "file",
      summary: "delete a statistics file",
      operands: [nameOperand],
      options: [{ flags: "-m, --in-minor <rev>", synopsis: "commit (default: HEAD); . for all commits" }, keepOption],
      formats: ["json"],
      run: (session, args) =>
        remove(session, args, { name: args.operand(0), ...minorOf(args.text("inMinor") ?? "HEAD") }),
    },
    {
      name: "minor",
      summary: "delete all statistics of a commit",
      operands: [{ name: "<rev>", synopsis: "commit" }],
      options: [keepOption],
      formats: ["json"],
      run: (session, args) => remove(session, args, { minor: args.operand(0) }),
    },
    {
      name: "all",
      aliases: ["."],
      summary: "delete all statistics of all commits",
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
  details: "A statistics file is a JSON object with an object per id. Perun reads and writes the same files.",
  subverbs: [
    {
      name: "list-files",
      summary: "list statistics files",
      options: [
        ...listOptions,
        { flags: "-f, --no-file-size", synopsis: "omit sizes" },
        { flags: "-i, --no-minor", synopsis: "omit commits" },
      ],
      formats: ["json", "csv", "markdown", "html"],
      run: listFiles,
    },
    {
      name: "list-versions",
      summary: "list commits with statistics",
      options: [
        ...listOptions,
        { flags: "-f, --no-file-count", synopsis: "omit file counts" },
        { flags: "-d, --no-dir-size", synopsis: "omit sizes" },
      ],
      formats: ["json", "csv", "markdown", "html"],
      run: listVersions,
    },
    {
      name: "get",
      summary: "print a statistics file or one of its entries",
      operands: [nameOperand, { name: "[id]", synopsis: "print only this entry" }],
      options: [minorOption],
      formats: [],
      run: get,
    },
    {
      name: "put",
      summary: "store an entry in a statistics file",
      operands: [
        nameOperand,
        { name: "<id>", synopsis: "the entry" },
        { name: "<file>", synopsis: "file with a JSON object; - is standard input" },
      ],
      options: [minorOption, { flags: "--merge", synopsis: "merge the object into the existing entry" }],
      run: put,
    },
    deletion,
    {
      name: "clean",
      summary: "delete foreign files and empty folders",
      options: [
        { flags: "-c, --keep-custom", synopsis: "keep foreign files and folders" },
        { flags: "-e, --keep-empty", synopsis: "keep empty folders" },
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
      summary: "update the list of commits with statistics",
      async run(session) {
        const count = await syncStats(session.workspace);
        session.output.data(`${count} commits have statistics\n`);
        return exitStatus.fine;
      },
    },
  ],
};

async function listed(session: Session, args: Arguments): Promise<StatsOfVersion[]> {
  const [top, from] = [args.count("top") ?? 0, args.text("fromMinor")];
  const all = await listStats(session.workspace, {
    ...(top === 0 ? {} : { top }),
    ...(from === undefined ? {} : { from }),
  });
  if (all.length === 0 && session.format === "text") session.output.note("no statistics");
  return args.flag("sortBySize") ? all.toSorted((a, b) => b.size - a.size) : all;
}

async function listFiles(session: Session, args: Arguments): Promise<number> {
  const commits = await listed(session, args);
  if (session.format === "json") return document(session, commits);
  const rows = commits.flatMap(({ version, date, files }) => files.map((file) => ({ version, date, ...file })));
  if (args.flag("sortBySize")) rows.sort((a, b) => b.size - a.size);
  const columns: Column<(typeof rows)[number]>[] = [
    { label: "name", cell: ({ name }) => name },
    ...(args.flag("fileSize") ? [sizeColumn] : []),
    ...(args.flag("minor") ? [versionColumn, dateColumn] : []),
  ];
  return print(session, args, rows, columns);
}

async function listVersions(session: Session, args: Arguments): Promise<number> {
  const commits = await listed(session, args);
  if (session.format === "json") return document(session, commits);
  const columns: Column<StatsOfVersion>[] = [
    versionColumn,
    dateColumn,
    ...(args.flag("fileCount")
      ? [{ label: "files", cell: ({ files }: StatsOfVersion) => String(files.length), right: true }]
      : []),
    ...(args.flag("dirSize") ? [sizeColumn] : []),
  ];
  return print(session, args, commits, columns);
}

function document({ output }: Session, versions: readonly StatsOfVersion[]): number {
  output.document("perfkeep.stats/2", { commits: versions.map(statsJson) });
  return exitStatus.fine;
}

/** The date in ISO 8601, null if it is unknown; statistics have it in local time, like Perun's. */
function statsJson({ date, ...commit }: StatsOfVersion): object {
  return { ...commitJson(commit), date: date === "" ? null : isoTime(Date.parse(date.replace(" ", "T")) / 1000) };
}

interface Column<Row> {
  readonly label: string;
  readonly right?: boolean;
  readonly cell: (row: Row) => string;
}

const versionColumn: Column<{ readonly version: StatsOfVersion["version"] }> = {
  label: "commit",
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
    session.output.data(`${total} bytes in total\n`);
  return exitStatus.fine;
}

async function get(session: Session, args: Arguments): Promise<number> {
  const bytes = await getStats(
    session.workspace,
    { name: args.operand(0), ...minorOf(args.text("minor")) },
    args.optionalOperand(1),
  );
  session.output.data(session.output.toTerminal ? terminalLines(new TextDecoder().decode(bytes)) : bytes);
  return exitStatus.fine;
}

async function put(session: Session, args: Arguments): Promise<number> {
  const location = { name: args.operand(0), ...minorOf(args.text("minor")) };
  const version = await putStats(session.workspace, {
    ...location,
    id: args.operand(1),
    file: args.operand(2),
    merge: args.flag("merge"),
  });
  session.output.report(
    `${terminalText(args.operand(1))} in ${terminalText(location.name)} of ${abbreviate(version)}\n`,
  );
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
