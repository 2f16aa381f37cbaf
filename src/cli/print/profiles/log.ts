import type { LogEntry } from "../../../commands/history/index.ts";
import { localTime } from "../../../workspace/machine/index.ts";
import { changeLines, changesSummary } from "../verdicts/changes.ts";
import { changeMarks } from "../verdicts/perun-changes.ts";
import { formatTable, type TokenTable } from "./format-table.ts";
import type { Medium } from "../medium.ts";
import { paintFor } from "../paint.ts";
import { countProfiles, countsLine, kindsText, type ProfileCounts } from "./profile-counts.ts";

/** Changes printed per commit; others are counted. */
const maxChanges = 5;

/** A commit in the long form, `trendLines` below its message. In Perun's output the message keeps its last newlines. */
export function longEntry(entry: LogEntry, medium: Medium, trendLines: readonly string[] = []): string {
  const { id, author, email, date, parents, description, finalNewlines = 1 } = entry.version;
  const { shown, paint, asPerun } = medium;
  return `${[
    paint.strong(`${asPerun ? "Minor Version" : "Commit"} ${medium.version(id, id)}`),
    countsLine(entry.profiles, "registered", asPerun),
    `Author: ${shown(author)} <${shown(email)}> ${localTime(date)}`,
    ...parents.map((parent) => `Parent: ${medium.version(parent, parent)}`),
    "",
    ...description.split("\n").map((line) => `    ${shown(line)}`),
    ...(asPerun ? [] : changesText(entry, medium)),
    ...trendLines,
    ...(asPerun ? Array<string>(finalNewlines).fill("    ") : [""]),
  ].join("\n")}\n`;
}

/** Changes that checks stored with the commit. */
function changesText({ changes }: LogEntry, { paint, drawn }: Medium): string[] {
  if (changes.length === 0) return [];
  const lines = [changesSummary(changes, paint), ...changeLines(changes.slice(0, maxChanges), paint)];
  return ["", ...lines.map(drawn), ...(changes.length > maxChanges ? [`and ${changes.length - maxChanges} more`] : [])];
}

/** The column `%trend%`. */
export interface TrendColumn {
  nameOf(medium: Medium): string;
  cell(entry: LogEntry, medium: Medium): string;
}

/** A table of commits by `format.shortlog`. */
export function shortLog(entries: readonly LogEntry[], format: string, medium: Medium, trend?: TrendColumn): string {
  const counts = entries.map((entry) => countProfiles(entry.profiles));
  const cell = medium.asPerun ? statsCells(counts) : profilesCell;
  const stats = new Map(entries.map((entry, i) => [entry, cell(counts[i] as ProfileCounts)]));
  // Perun's column of marks has this minimum width.
  const least = medium.asPerun ? { changes: 9 } : {};
  const { head, lines } = formatTable(format, entries, { ...tokensWith(stats, medium, trend), least }, medium);
  return `${[head, ...lines].join("\n")}\n`;
}

const plain = paintFor(false);

function tokensWith(
  stats: ReadonlyMap<LogEntry, string>,
  medium: Medium,
  trend: TrendColumn | undefined,
): TokenTable<LogEntry> {
  const { paint, version } = medium;
  return {
    setting: "format.shortlog",
    heads: {
      stats: medium.asPerun ? "a|m|x|t profiles" : "profiles",
      ...(trend === undefined ? {} : { trend: trend.nameOf(medium) }),
    },
    whole: ["checksum", "stats", "date", "changes", "trend"],
    dress: {
      checksum: (shown, entry) => version(shown, entry.version.id),
      changes: (shown) => shown.replace(/\++/, paint.good).replace(/-+/, paint.bad),
      trend: (shown) => shown.replace(/\S+ % worse$/, paint.bad).replace(/\S+ % better$/, paint.good),
    },
    tokens: {
      checksum: (entry) => entry.version.id,
      desc: (entry) => entry.version.description.split("\n", 1)[0] ?? "",
      author: (entry) => entry.version.author,
      email: (entry) => entry.version.email,
      date: (entry) => localTime(entry.version.date),
      parents: (entry) => entry.version.parents.join(" "),
      stats: (entry) => stats.get(entry) ?? "",
      changes: (entry) => changeMarks(entry.changes, plain),
      ...(trend === undefined ? {} : { trend: (entry) => trend.cell(entry, medium) }),
    },
  };
}

/** `2 memory, 1 time`, or `no profiles`. */
function profilesCell(counts: ProfileCounts): string {
  return counts.all === 0 ? "no profiles" : kindsText(counts);
}

const kinds = ["all", "memory", "mixed", "time"] as const;

/** Makes cells that are as wide as the widest of `counts`. */
function statsCells(counts: readonly ProfileCounts[]): (count: ProfileCounts) => string {
  const widths = kinds.map((kind) => counts.reduce((widest, count) => Math.max(widest, String(count[kind]).length), 1));
  return (count) => statsCell(count, widths);
}

/** `6|2|3|1 profiles` (all, memory, mixed, time; right-aligned), or `--no--profiles--`. */
function statsCell(counts: ProfileCounts, widths: readonly number[]): string {
  const cells = kinds.map((kind, i) => String(counts[kind]).padStart(widths[i] ?? 1));
  const text = `${cells.join("|")} profiles`;
  if (counts.all > 0) return text;
  const none = "--no--profiles--";
  return none.padStart(Math.ceil((none.length + text.length) / 2)).padEnd(text.length);
}
