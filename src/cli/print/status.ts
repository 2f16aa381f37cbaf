import { inTagOrder, type ListedProfile, type ProfileSortKey } from "../../core/profile-order.ts";
import { terminalText } from "../../core/terminal-text.ts";
import type { Status } from "../../commands/status.ts";
import { changeLines, changesSummary, changeTotals } from "./changes.ts";
import { localTime } from "./date.ts";
import { formatTable, type TokenTable } from "./format-table.ts";
import type { Paint } from "./paint.ts";
import { countsLine } from "./profile-counts.ts";
import { displayWidth } from "../../core/terminal-text.ts";

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
  options: { readonly short: boolean; readonly format: string; readonly sort: ProfileSortKey; readonly paint: Paint },
): string {
  const head = `On major version ${terminalText(status.major)} (minor version: ${status.head})`;
  const totals = [changesSummary(status.changes, options.paint), changeTotals(status.changes)];
  if (options.short)
    return `${[head, countsLine(status.registered, "tracked"), countsLine(status.pending, "untracked"), ...totals].join("\n")}\n`;
  const list = (profiles: readonly ListedProfile[], what: "tracked" | "untracked", tag: string): string[] =>
    profiles.length === 0
      ? [countsLine(profiles, what), ""]
      : [`${countsLine(profiles, what)}:`, "", ...tagged(inTagOrder(profiles, options.sort), tag, options), ""];
  return `${[
    head,
    "",
    ...versionLines(status),
    ...list(status.registered, "tracked", "i"),
    ...list(status.pending, "untracked", "p"),
    ...totals,
    "",
    ...(status.changes.length > 0 ? changeLines(status.changes, "", options.paint) : ["no changes found"]),
  ].join("\n")}\n`;
}

function versionLines(status: Status): string[] {
  const { author, email, date, parents, description } = status.version;
  const person = `Author: ${terminalText(author)} <${terminalText(email)}> ${localTime(date)}`;
  return [person, ...parents.map((parent) => `Parent: ${parent}`), "", ...description.split("\n").map((line) => terminalText(line)), ""];
}

/** Rows with their tags, ruled as Perun rules them: after the head, after row 0 and every fifth, and at the end. */
function tagged(profiles: readonly ListedProfile[], tag: string, options: { readonly format: string; readonly paint: Paint }): string[] {
  const { head, lines } = formatTable(options.format, profiles, tokens);
  const ids = profiles.map((_, i) => `${i}@${tag}`);
  const width = Math.max(2, ...ids.map((id) => id.length)) + 1;
  const rule = `${"═".repeat(width + 1 + displayWidth(head))}▣`;
  const rows = lines.flatMap((line, i) => {
    const row = `${(ids[i] ?? "").padStart(width)} ${options.paint.type(profiles[i]?.type ?? "", line)}`;
    return i % 5 === 0 || i === lines.length - 1 ? [row, rule] : [row];
  });
  return [rule, `${"id".padStart(width)} ${head}`, rule, ...rows];
}
