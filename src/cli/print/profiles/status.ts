import type { Status } from "../../../commands/history/index.ts";
import { counted, displayWidth } from "../../../core/text/index.ts";
import { inTagOrder, type ListedProfile, type ProfileSortKey } from "../../../core/profiles/index.ts";
import { abbreviate, type VersionId } from "../../../core/versions/index.ts";
import { localTime } from "../../../workspace/machine/index.ts";
import type { RemoteStanding } from "../../../workspace/share/index.ts";
import { changeLines, changesSummary } from "../verdicts/changes.ts";
import { perunSummary, perunTotals } from "../verdicts/perun-changes.ts";
import { formatTable, type TokenTable } from "./format-table.ts";
import type { Medium } from "../medium.ts";
import type { Paint } from "../paint.ts";
import { countsLine, type ProfileState } from "./profile-counts.ts";

/** `store`: path of `.perun`, which the token `realpath` starts with. */
const tokensIn = (store: string): TokenTable<ListedProfile> => ({
  setting: "format.status",
  whole: ["type", "time", "checksum"],
  tokens: {
    type: (profile) => `[${profile.type.padEnd(6)}]`,
    collector: (profile) => profile.collector,
    time: (profile) => localTime(profile.time),
    source: (profile) => profile.name,
    realpath: ({ name, object }) =>
      `${store}/${object === "" ? `jobs/${name}` : `objects/${object.slice(0, 2)}/${object.slice(2)}`}`,
    cmd: (profile) => profile.cmd,
    workload: (profile) => profile.workload,
    checksum: (profile) => profile.object,
  },
});

interface StatusOptions {
  readonly short: boolean;
  /** Path of `.perun`. */
  readonly store: string;
  readonly format: string;
  readonly sort: ProfileSortKey;
  readonly medium: Medium;
}

/** `status` as text: the commit, its profiles, pending profiles and detected changes. */
export function statusText(status: Status, options: StatusOptions): string {
  const { medium } = options;
  const { paint } = medium;
  const commit = medium.version(status.head, status.head);
  const { asPerun } = medium;
  const head = [
    asPerun
      ? `On major version ${medium.shown(status.major)} (minor version: ${commit})`
      : `On ${status.major === status.head ? "no branch" : `branch ${medium.shown(status.major)}`}, commit ${commit}`,
    ...(asPerun ? [] : status.sharing.map((standing) => sharingLine(standing, medium))),
  ];
  const totals = asPerun
    ? [perunSummary(status.changes, paint), perunTotals(status.changes)]
    : [storedChanges(status, paint)];
  if (options.short)
    return [
      ...head,
      countsLine(status.registered, "registered", asPerun),
      countsLine(status.pending, "pending", asPerun),
      ...totals,
      "",
    ].join("\n");
  return `${[
    ...head,
    "",
    ...versionLines(status, medium),
    ...profileLists(status, options),
    ...totals,
    ...(asPerun ? [""] : []),
    ...changesFound(status, medium),
  ].join("\n")}\n`;
}

/** Changes that a check stored; without one nothing is known, unless there is nothing to check. */
function storedChanges({ changes, registered }: Status, paint: Paint): string {
  if (changes.length > 0) return `Last check: ${changesSummary(changes, paint)}`;
  return registered.length === 0 ? "no changes" : "no changes stored; perfkeep check head looks for them";
}

/** Registered and pending profiles, with equal column widths. */
function profileLists(status: Status, { store, format, sort, medium }: StatusOptions): string[] {
  const { head } = status;
  const [registered, pending] = [inTagOrder(status.registered, sort), inTagOrder(status.pending, sort)];
  // Each line starts with a tag and a blank.
  const width = medium.width - tagWidth(Math.max(registered.length, pending.length)) - 1;
  const { head: columns, lines } = formatTable(format, [...registered, ...pending], tokensIn(store), {
    ...medium,
    width,
  });
  const list = (profiles: readonly ListedProfile[], where: ProfileState, from: number): string[] => {
    const tag = where === "registered" ? "i" : "p";
    if (profiles.length === 0) return [countsLine(profiles, where, medium.asPerun), ""];
    return [
      `${countsLine(profiles, where, medium.asPerun)}:`,
      "",
      ...tagged(profiles, { tag, columns, lines: lines.slice(from), medium }),
      ...(where === "pending" && !medium.asPerun ? originLines(profiles, head, medium) : []),
      "",
    ];
  };
  return [...list(registered, "registered", 0), ...list(pending, "pending", registered.length)];
}

/** Where pending profiles were measured, if not at the head: `perfkeep add` registers them there. */
function originLines(profiles: readonly ListedProfile[], head: VersionId, { version }: Medium): string[] {
  const tags = new Map<VersionId, string[]>();
  for (const [at, { origin }] of profiles.entries())
    if (origin !== undefined && origin !== head) tags.set(origin, [...(tags.get(origin) ?? []), `${at}@p`]);
  return [...tags].map(([origin, of]) => `${of.join(" ")} measured at ${version(abbreviate(origin), origin)}`);
}

function changesFound({ changes }: Status, { paint, asPerun, drawn }: Medium): string[] {
  if (changes.length === 0) return asPerun ? ["no changes found"] : [];
  return [...changeLines(changes, paint, asPerun ? "perun" : undefined).map(drawn), ...(asPerun ? [""] : [])];
}

/** The head and its message, which keeps its last newlines in Perun's output. */
function versionLines(status: Status, { shown, version, asPerun }: Medium): string[] {
  const { author, email, date, parents, description, finalNewlines = 1 } = status.version;
  const person = `Author: ${shown(author)} <${shown(email)}> ${localTime(date)}`;
  return [
    person,
    ...parents.map((parent) => `Parent: ${version(parent, parent)}`),
    "",
    ...description.split("\n").map(shown),
    ...Array<string>(asPerun ? finalNewlines : 1).fill(""),
  ];
}

interface TaggedList {
  readonly tag: "i" | "p";
  readonly columns: string;
  readonly lines: readonly string[];
  readonly medium: Medium;
}

/** Rows with tags and Perun's rules: after the head, row 0, every fifth row and the last one. */
function tagged(profiles: readonly ListedProfile[], { tag, columns, lines, medium }: TaggedList): string[] {
  const width = tagWidth(profiles.length);
  const rule = medium.drawn(`${"═".repeat(width + displayWidth(columns))}▣`);
  const rows = profiles.flatMap((profile, i) => {
    const row = `${`${i}@${tag}`.padStart(width)} ${medium.paint.type(profile.type, lines[i] ?? "")}`;
    return i % 5 === 0 || i === profiles.length - 1 ? [row, rule] : [row];
  });
  return [rule, `${idHead(width)} ${columns}`, rule, ...rows];
}

/** `id`, centred over the tags as Python's `center` does: an odd blank goes to the left of odd widths. */
function idHead(width: number): string {
  const blanks = width - 3;
  const left = Math.floor(blanks / 2) + (blanks & 1 & (width - 1));
  return `${" ".repeat(left + 1)}id`.padEnd(width);
}

/** Width of right-aligned tags such as `12@i` with a leading blank. */
function tagWidth(count: number): number {
  return String(count - 1).length + 3;
}

/** `Shared with origin, as of 2026-11-22 16:40:00: 2 profiles to push; 3 profiles to pull`. */
function sharingLine(
  { remote, asOf, push, pull, experimentsWritten }: RemoteStanding,
  { shown }: Pick<Medium, "shown">,
): string {
  const both =
    push === null || pull === null
      ? ["too many changes since: see perfkeep push --dry-run"]
      : [toDo(push, "push"), toDo(pull, "pull")];
  const written = experimentsWritten ? ["experiments were written since"] : [];
  const what = [...both, ...written].filter((each) => each !== "").join("; ");
  return `Shared with ${shown(remote)}, as of ${localTime(asOf)}: ${what || "nothing to push or pull"}`;
}

function toDo(counts: NonNullable<RemoteStanding["push"]>, way: "push" | "pull"): string {
  const { profiles, removals, changedVersions, experimentChanges } = counts;
  const named = [
    [profiles, "profile", "profiles"],
    [removals, "removal", "removals"],
    [changedVersions, "commit with changes", "commits with changes"],
    [experimentChanges, "change of an experiment", "changes of experiments"],
  ] as const;
  const items = named.filter(([count]) => count > 0).map(([count, one, many]) => counted(count, one, many));
  return items.length === 0 ? "" : `${items.join(", ")} to ${way}`;
}
