import { deleteTemp, listTemp, protectTemp, syncTemp, type ListedTemp } from "../../../commands/maintenance/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import { renderFigure, printRemoved } from "../../print/index.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";

const orders = ["name", "protection", "size"] as const;
const protections = ["all", "unprotected", "protected"] as const;

const pathOperand = { name: "<path>", synopsis: "file or folder below .perun/tmp" };

export const temp: Verb = {
  name: "temp",
  summary: "list and delete temporary files of the store (.perun/tmp)",
  examples: ["perfkeep temp list"],
  details: "Paths are relative to .perun/tmp or absolute. Protected files are deleted only with --force.",
  subverbs: [
    {
      name: "list",
      summary: "list temporary files",
      operands: [{ name: "[root]", synopsis: "list only files below this path" }],
      options: [
        { flags: "-t, --no-total-size", synopsis: "omit the total" },
        { flags: "-f, --no-file-size", synopsis: "omit sizes" },
        { flags: "-p, --no-protection-level", synopsis: "omit the protection" },
        {
          flags: "-s, --sort-by <key>",
          synopsis: "sort key: name (default), protection (protected first) or size (largest first)",
          choices: orders,
        },
        {
          flags: "--filter-protection <which>",
          synopsis: "list only these (default: all)",
          choices: protections,
          also: ["-fp"],
        },
      ],
      formats: ["json", "csv", "markdown", "html"],
      run: list,
    },
    {
      name: "delete",
      summary: "delete temporary files",
      operands: [pathOperand],
      options: [
        { flags: "-w, --warn", synopsis: "delete nothing if any file is protected" },
        { flags: "-f, --force", synopsis: "also delete protected files" },
        { flags: "-k, --keep-directories", synopsis: "keep folders that become empty" },
      ],
      formats: ["json"],
      async run(session, args) {
        const which = { warn: args.flag("warn"), force: args.flag("force"), keepFolders: args.flag("keepDirectories") };
        const { removed, kept } = deleteTemp(session.workspace, { path: args.operand(0), ...which });
        return printRemoved(session, removed, kept);
      },
    },
    {
      name: "protect",
      summary: "protect files from deletion",
      operands: [pathOperand],
      options: [{ flags: "--off", synopsis: "remove the protection" }],
      async run(session, args) {
        const word = args.flag("off") ? "no longer protected" : "protected";
        for (const path of protectTemp(session.workspace, args.operand(0), !args.flag("off")))
          session.output.report(`${terminalText(path)} is ${word}\n`);
        return exitStatus.fine;
      },
    },
    {
      name: "sync",
      summary: "remove records of deleted files",
      async run(session) {
        for (const path of syncTemp(session.workspace))
          session.output.report(`removed the record of ${terminalText(path)}\n`);
        return exitStatus.fine;
      },
    },
  ],
};

async function list(session: Session, args: Arguments): Promise<number> {
  const which = args.text("filterProtection") ?? "all";
  const files = inOrder(
    listTemp(session.workspace, args.optionalOperand(0) ?? ".").filter(
      (file) => which === "all" || file.protected === (which === "protected"),
    ),
    args.text("sortBy"),
  );
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (session.format === "json") session.output.document("perfkeep.temp/1", { files, size });
  else await print(session, args, files, size);
  return exitStatus.fine;
}

function inOrder(files: readonly ListedTemp[], by: string | undefined): readonly ListedTemp[] {
  if (by === "size") return files.toSorted((a, b) => b.size - a.size);
  return by === "protection" ? files.toSorted((a, b) => Number(b.protected) - Number(a.protected)) : files;
}

async function print(session: Session, args: Arguments, files: readonly ListedTemp[], size: number): Promise<void> {
  const { output, format } = session;
  if (files.length === 0 && format === "text") return output.note("no temporary files");
  const columns = [
    { label: "path", align: "left" as const, cell: ({ path }: ListedTemp) => path },
    ...(args.flag("fileSize")
      ? [{ label: "bytes", align: "right" as const, cell: (file: ListedTemp) => String(file.size) }]
      : []),
    ...(args.flag("protectionLevel")
      ? [
          {
            label: "protection",
            align: "left" as const,
            cell: (file: ListedTemp) => (file.protected ? "protected" : "unprotected"),
          },
        ]
      : []),
  ];
  const rows = files.map((file) => columns.map(({ cell }) => cell(file)));
  output.data(await renderFigure(session, { title: "", blocks: [{ kind: "table", head: columns, rows }] }, format));
  if (format === "text" && args.flag("totalSize")) output.data(`${size} bytes in total\n`);
}
