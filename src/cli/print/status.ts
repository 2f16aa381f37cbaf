import { inTagOrder, type ListedProfile, type ProfileSortKey } from "../../core/profile-order.ts";
import { displayWidth, terminalText } from "../../core/terminal-text.ts";
import type { Status } from "../../commands/status.ts";
import { changeLines, changesSummary, changeTotals } from "./changes.ts";
import { localTime } from "../../workspace/local-time.ts";
import { formatTable, type TokenTable } from "./format-table.ts";
import type { Paint } from "./paint.ts";
import { countsLine } from "./profile-counts.ts";

const tokens: TokenTable<ListedProfile> = {
  setting: "format.status",
  tokens: {
    type: (profile) => `[${profile.type.padEnd(6)}]`,
    collector: (profile) => profile.collector,
    time: (profile) => localTime(profile.time),
    source: (profile) => profile.name,
    realpath: (profile) => profile.name,
    cmd: (profile) => profile.cmd,
    workload: (profile) => profile.workload,
    checksum: (profile) => profile.object,
  },
};

/** `status` as text: where we stand, the profiles of this version, the pending ones, the changes found. */
export function statusText(
  status: Status,
  options: {
    readonly short: boolean;
    readonly format: string;
    readonly sort: ProfileSortKey;
    readonly paint: Paint;
    readonly compat?: string | undefined;
  },
): string {
  const head = `On major version ${terminalText(status.major)} (minor version: ${status.head})`;
  const totals = [changesSummary(status.changes, options.paint), changeTotals(status.changes)];
  if (options.short)
    return `${[head, countsLine(status.registered, "tracked"), countsLine(status.pending, "untracked"), ...totals].join("\n")}\n`;
  const { registered, pending } = {
    registered: inTagOrder(status.registered, options.sort),
    pending: inTagOrder(status.pending, options.sort),
  };
  const { head: columns, lines } = formatTable(options.format, [...registered, ...pending], tokens);
  const list = (profiles: readonly ListedProfile[], what: "tracked" | "untracked", from: number): string[] =>
    profiles.length === 0
      ? [countsLine(profiles, what), ""]
      : [
          `${countsLine(profiles, what)}:`,
          "",
          ...tagged(profiles, { tag: what === "tracked" ? "i" : "p", columns, lines: lines.slice(from), paint: options.paint }),
          "",
        ];
  return `${[
    head,
    "",
    ...versionLines(status),
    ...list(registered, "tracked", 0),
    ...list(pending, "untracked", registered.length),
    ...totals,
    "",
    ...(status.changes.length > 0 ? changeLines(status.changes, options.paint, options.compat) : ["no changes found"]),
    ...(status.changes.length > 0 && options.compat === "perun" ? [""] : []),
  ].join("\n")}\n`;
}

function versionLines(status: Status): string[] {
  const { author, email, date, parents, description } = status.version;
  const person = `Author: ${terminalText(author)} <${terminalText(email)}> ${localTime(date)}`;
  return [person, ...parents.map((parent) => `Parent: ${parent}`), "", ...description.split("\n").map((line) => terminalText(line)), ""];
}

interface TaggedList {
  readonly tag: "i" | "p";
  readonly columns: string;
  readonly lines: readonly string[];
  readonly paint: Paint;
}

/** Rows with their tags, ruled as Perun rules them: after the head, after row 0 and every fifth, and at the end. */
function tagged(profiles: readonly ListedProfile[], { tag, columns, lines, paint }: TaggedList): string[] {
  const width = String(profiles.length - 1).length + 3;
  const rule = `${"═".repeat(width + displayWidth(columns))}▣`;
  const rows = profiles.flatMap((profile, i) => {
    const row = `${`${i}@${tag}`.padStart(width)} ${paint.type(profile.type, lines[i] ?? "")}`;
    return i % 5 === 0 || i === profiles.length - 1 ? [row, rule] : [row];
  });
  return [rule, `${"id".padStart(width)} ${columns}`, rule, ...rows];
}
