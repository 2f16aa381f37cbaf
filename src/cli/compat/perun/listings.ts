import { listStats, listTemp, type ListedTemp } from "../../../commands/maintenance/index.ts";
import { exitStatus } from "../../../core/failures/index.ts";
import type { VersionId } from "../../../core/versions/index.ts";
import { oneDecimal, terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { stats as perfkeepStats } from "../../verbs/maintenance/stats.ts";
import { temp as perfkeepTemp } from "../../verbs/maintenance/temp.ts";

/** The verb whose lists are printed as Perun prints them; other output formats stay perfkeep's. */
function withLists(verb: Verb, lists: Readonly<Record<string, Verb["run"]>>): Verb {
  const subverbs = (verb.subverbs ?? []).map((subverb) => {
    const print = lists[subverb.name];
    const run: Verb["run"] = (session, args) =>
      (session.format === "text" && print ? print : subverb.run)?.(session, args) as Promise<number>;
    return { ...subverb, ...(subverb.run ? { run } : {}) };
  });
  return { ...verb, subverbs };
}

export const stats: Verb = withLists(perfkeepStats, {
  "list-files": (session, args) => listFiles(session, args),
  "list-versions": (session, args) => listVersions(session, args),
});

export const temp: Verb = withLists(perfkeepTemp, { list: (session, args) => listTemporary(session, args) });

/** A size in bytes, 10 columns wide as in Perun; blank for null. */
function sizeText(bytes: number | null): string {
  if (bytes === null) return " ".repeat(10);
  if (bytes < 1024) return `${String(bytes).padStart(6)} B  `;
  let size = bytes;
  for (const unit of ["KiB", "MiB", "GiB", "TiB"]) {
    size /= 1024;
    if (size < 1024) return `${oneDecimal(size).padStart(6)} ${unit}`;
  }
  return `${oneDecimal(size / 1024)} PiB`;
}

interface Row {
  /** Bytes; null without a file. */
  readonly size: number | null;
  readonly cells: readonly string[];
}

function print({ output }: Session, args: Arguments, rows: readonly Row[], folder: string): number {
  if (rows.length === 0) {
    output.data(`== No results for the given parameters in the .perun/${folder}/ directory ==\n`);
    return exitStatus.fine;
  }
  const total = rows.reduce((sum, { size }) => sum + (size ?? 0), 0);
  const head = args.flag("totalSize")
    ? [`Total size of all the displayed files / directories: ${sizeText(total)}`]
    : [];
  output.data([...head, ...rows.map(({ cells }) => cells.join(" | ")), ""].join("\n"));
  return exitStatus.fine;
}

interface ListedFile {
  readonly size: number | null;
  readonly name: string;
  readonly version: VersionId;
}

async function commitsOf({ workspace }: Session, args: Arguments): ReturnType<typeof listStats> {
  const [top, from] = [args.count("top") ?? 0, args.text("fromMinor")];
  return listStats(workspace, { ...(top === 0 ? {} : { top }), ...(from === undefined ? {} : { from }) });
}

async function listFiles(session: Session, args: Arguments): Promise<number> {
  const files = (await commitsOf(session, args)).flatMap(({ version, files: found }): ListedFile[] =>
    found.length === 0
      ? [{ size: null, name: "-= No stats file =-", version }]
      : found.map(({ name, size }) => ({ size, name: terminalText(name), version })),
  );
  // Commits without files are last in a list sorted by size.
  const sorted = args.flag("sortBySize") ? files.toSorted((a, b) => (b.size ?? -1) - (a.size ?? -1)) : files;
  const [sizes, commits] = [args.flag("fileSize"), args.flag("minor")];
  const rows = sorted.map(({ size, name, version }) => ({
    size,
    cells: [...(sizes ? [sizeText(size)] : []), ...(commits ? [version] : []), name],
  }));
  return print(session, args, rows, "stats");
}

async function listVersions(session: Session, args: Arguments): Promise<number> {
  const commits = await commitsOf(session, args);
  const sorted = args.flag("sortBySize") ? commits.toSorted((a, b) => b.size - a.size) : commits;
  const [sizes, counts] = [args.flag("dirSize"), args.flag("fileCount")];
  const rows = sorted.map(({ size, version, files }) => ({
    size,
    cells: [...(sizes ? [sizeText(size)] : []), version, ...(counts ? [String(files.length)] : [])],
  }));
  return print(session, args, rows, "stats");
}

async function listTemporary(session: Session, args: Arguments): Promise<number> {
  const which = args.text("filterProtection") ?? "all";
  const files = listTemp(session.workspace, args.optionalOperand(0) ?? ".").filter(
    (file) => which === "all" || file.protected === (which === "protected"),
  );
  const [sizes, protections] = [args.flag("fileSize"), args.flag("protectionLevel")];
  const rows = sortedFiles(files, args.text("sortBy")).map((file) => ({
    size: file.size,
    cells: [
      ...(sizes ? [sizeText(file.size)] : []),
      ...(protections ? [file.protected ? "protected  " : "unprotected"] : []),
      terminalText(file.path),
    ],
  }));
  return print(session, args, rows, "tmp");
}

function sortedFiles(files: readonly ListedTemp[], by = "name"): readonly ListedTemp[] {
  const named = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  if (by === "size") return named.toSorted((a, b) => b.size - a.size);
  return by === "protection" ? named.toSorted((a, b) => Number(b.protected) - Number(a.protected)) : named;
}
