import type { LogEntry } from "../../../commands/history/index.ts";
import type { VersionId } from "../../../core/versions/index.ts";
import { localTime } from "../../../workspace/machine/index.ts";
import { changeLines, changesSummary } from "../verdicts/changes.ts";
import { changeMarks } from "../verdicts/perun-changes.ts";
import { FormattedTable, type TokenTable } from "./format-table.ts";
import type { Medium } from "../medium.ts";
import { paintFor } from "../paint.ts";
import { countProfiles, countsLine, kindsText, type ProfileCounts } from "./profile-counts.ts";

/** Characters printed at once. */
const pieceLength = 1 << 16;

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

/** A table of commits by `format.shortlog`, of which only the cells are kept. */
export class ShortLog {
  readonly #table: FormattedTable<LogEntry>;

  constructor(format: string, medium: Medium, trend?: TrendColumn) {
    this.#table = new FormattedTable(format, tokensWith(medium, trend), medium);
  }

  add(entries: readonly LogEntry[]): void {
    this.#table.add(entries);
  }

  /** The printed table in pieces. */
  *text(): Generator<string> {
    const { head, lines } = this.#table.layOut();
    let piece = `${head}\n`;
    for (const line of lines) {
      piece += `${line}\n`;
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
    yield piece;
  }
}

const plain = paintFor(false);

function tokensWith(medium: Medium, trend: TrendColumn | undefined): TokenTable<LogEntry> {
  const { paint, version, asPerun } = medium;
  return {
    setting: "format.shortlog",
    heads: {
      stats: asPerun ? "a|m|x|t profiles" : "profiles",
      ...(trend === undefined ? {} : { trend: trend.nameOf(medium) }),
    },
    whole: ["checksum", "stats", "date", "changes", "trend"],
    // Perun's column of marks has this minimum width.
    least: asPerun ? { changes: 9 } : {},
    ...(asPerun ? { align: { stats: perunCounts } } : {}),
    dress: {
      checksum: (shown, id) => version(shown, id as VersionId),
      changes: (shown) => shown.replace(/\++/, paint.good).replace(/-+/, paint.bad),
      trend: (shown) => shown.replace(/\S+ % worse$/, paint.bad).replace(/\S+ % better$/, paint.good),
    },
    tokens: {
      checksum: (entry) => entry.version.id,
      desc: (entry) => firstLine(entry.version.description),
      author: (entry) => entry.version.author,
      email: (entry) => entry.version.email,
      date: (entry) => localTime(entry.version.date),
      parents: (entry) => entry.version.parents.join(" "),
      stats: ({ profiles }) => (asPerun ? countsCell(countProfiles(profiles)) : profilesCell(countProfiles(profiles))),
      changes: ({ changes }) => (changes.length === 0 ? "" : changeMarks(changes, plain)),
      ...(trend === undefined ? {} : { trend: (entry) => trend.cell(entry, medium) }),
    },
  };
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}

/** `2 memory, 1 time`, or `no profiles`. */
function profilesCell(counts: ProfileCounts): string {
  return counts.all === 0 ? "no profiles" : kindsText(counts);
}

const kinds = ["all", "memory", "mixed", "time"] as const;

function countsCell(counts: ProfileCounts): string {
  return kinds.map((kind) => counts[kind]).join("|");
}

/**
 * Perun's column: `6|2|3|1 profiles` (all, memory, mixed, time; right-aligned), or `--no--profiles--`. `cells` are
 * those of `countsCell`.
 */
function perunCounts(cells: readonly string[]): string[] {
  const all = cells.map((cell) => cell.split("|"));
  const widths = kinds.map((_, i) => all.reduce((widest, counts) => Math.max(widest, counts[i]?.length ?? 0), 1));
  return all.map((counts) => {
    const text = `${counts.map((count, i) => count.padStart(widths[i] ?? 1)).join("|")} profiles`;
    if (counts[0] !== "0") return text;
    const none = "--no--profiles--";
    return none.padStart(Math.ceil((none.length + text.length) / 2)).padEnd(text.length);
  });
}
