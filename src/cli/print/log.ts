import type { LogEntry } from "../../commands/log.ts";
import { terminalText } from "../../core/terminal-text.ts";
import { changeMarks } from "./changes.ts";
import { localTime } from "../../workspace/local-time.ts";
import { formatTable, type TokenTable } from "./format-table.ts";
import { paintFor, type Paint } from "./paint.ts";
import { countProfiles, countsLine, type ProfileCounts } from "./profile-counts.ts";

/** One version in the long form of `log`. For Perun the line break at the end of the message belongs to it. */
export function longEntry(entry: LogEntry, paint: Paint, compat?: string): string {
  const { id, author, email, date, parents, description } = entry.version;
  return `${[
    paint.strong(`Minor Version ${id}`),
    countsLine(entry.profiles, "tracked"),
    `Author: ${terminalText(author)} <${terminalText(email)}> ${localTime(date)}`,
    ...parents.map((parent) => `Parent: ${parent}`),
    "",
    ...description.split("\n").map((line) => `    ${terminalText(line)}`),
    compat === "perun" ? "    " : "",
  ].join("\n")}\n`;
}

/** All versions as the table of `format.shortlog`. */
export function shortLog(entries: readonly LogEntry[], format: string, paint: Paint, compat?: string): string {
  const counts = entries.map((entry) => countProfiles(entry.profiles));
  const widths = columnWidths(counts);
  const stats = new Map(entries.map((entry, i) => [entry, statsCell(counts[i] as ProfileCounts, widths)]));
  // Perun's column of marks is never narrower.
  const least = compat === "perun" ? { changes: 9 } : {};
  const { head, lines } = formatTable(format, entries, { ...tokensWith(stats), least });
  const painted = entries.some((entry) => entry.changes.length > 0)
    ? lines.map((line, i) => paintMarks(line, entries[i] as LogEntry, paint))
    : lines;
  return `${[head, ...painted].join("\n")}\n`;
}

const plain = paintFor(false);

function tokensWith(stats: ReadonlyMap<LogEntry, string>): TokenTable<LogEntry> {
  return {
    setting: "format.shortlog",
    heads: { stats: "a|m|x|t profiles" },
    tokens: {
      checksum: (entry) => entry.version.id,
      desc: (entry) => entry.version.description.split("\n", 1)[0] ?? "",
      author: (entry) => entry.version.author,
      email: (entry) => entry.version.email,
      date: (entry) => localTime(entry.version.date),
      parents: (entry) => entry.version.parents.join(" "),
      stats: (entry) => stats.get(entry) ?? "",
      changes: (entry) => changeMarks(entry.changes, plain),
    },
  };
}

/** Colour must not count as width, so the marks are painted once the line stands. */
function paintMarks(line: string, entry: LogEntry, paint: Paint): string {
  const marks = changeMarks(entry.changes, plain);
  return marks === "" ? line : line.replace(marks, changeMarks(entry.changes, paint));
}

const kinds = ["all", "memory", "mixed", "time"] as const;

function columnWidths(counts: readonly ProfileCounts[]): number[] {
  return kinds.map((kind) => counts.reduce((widest, count) => Math.max(widest, String(count[kind]).length), 1));
}

/** `6|2|3|1 profiles`: all, memory, mixed and time, each right-aligned in its column; `--no--profiles--` where there are none. */
function statsCell(counts: ProfileCounts, widths: readonly number[]): string {
  const cells = kinds.map((kind, i) => String(counts[kind]).padStart(widths[i] ?? 1));
  const text = `${cells.join("|")} profiles`;
  if (counts.all > 0) return text;
  const none = "--no--profiles--";
  return none.padStart(Math.ceil((none.length + text.length) / 2)).padEnd(text.length);
}
