import type { VersionId, CommitLabelStyle } from "../../core/versions/index.ts";
import type { Table } from "../../core/tables/index.ts";
import { formatDate } from "../../core/values/index.ts";
import { holdsCommits } from "./history-order.ts";
import type { Output } from "../plan/index.ts";
import type { VersionGraph } from "./version-graph.ts";

const fewestDigits = 8;
const secondsADay = 86_400;

/** A label for each version; the abbreviated id by default. */
export function commitLabels(
  ids: readonly VersionId[],
  style: CommitLabelStyle,
  graph: Pick<VersionGraph, "get">,
  tags: ReadonlyMap<VersionId, string>,
): Map<VersionId, string> {
  const digits = digitsNeeded(ids);
  const own = (id: VersionId): string | undefined => {
    const version = graph.get(id);
    if (style === "id") return id;
    if (style === "tag") return tags.get(id);
    if (style === "subject") return version?.description.split("\n", 1)[0]?.trim();
    return style === "date" && version ? formatDate(Math.floor(version.date / secondsADay)) : undefined;
  };
  return new Map(ids.map((id) => [id, own(id) || id.slice(0, digits)]));
}

/** Digits of a unique abbreviation. */
function digitsNeeded(ids: readonly VersionId[]): number {
  let digits = fewestDigits;
  const sorted = [...new Set(ids)].sort();
  sorted.forEach((id, at) => {
    const next = sorted[at + 1] ?? "";
    while (id.slice(0, digits) === next.slice(0, digits) && digits < id.length) digits++;
  });
  return digits;
}

/** The distinct versions of a result, in the order of its rows. */
export function commitsIn({ columns, length }: Table, outputs: readonly Output[]): VersionId[] {
  const column = columns[outputs.findIndex(holdsCommits)];
  if (column?.kind !== "text") return [];
  const codes = new Set(column.codes.subarray(0, length));
  return [...codes].flatMap((code) => (column.dictionary[code] as VersionId | undefined) ?? []);
}

/** The result with labels instead of ids. */
export function labelled(table: Table, outputs: readonly Output[], labels: ReadonlyMap<string, string>): Table {
  const columns = table.columns.map((column, at) => {
    const output = outputs[at];
    if (output === undefined || !holdsCommits(output) || column.kind !== "text") return column;
    return { ...column, dictionary: column.dictionary.map((id) => labels.get(id) ?? id) };
  });
  return { ...table, columns };
}

/** Path of a commit below the address of its repository, by the host of the forge. */
const forges: readonly (readonly [host: RegExp, path: string])[] = [
  [/^github[.]com$|^github[.]/, "/commit/"],
  [/^gitlab[.]com$|^gitlab[.]|[.]gitlab[.]/, "/-/commit/"],
  [/^codeberg[.]org$|^gitea[.]|^forgejo[.]/, "/commit/"],
  [/^git[.]sr[.]ht$/, "/commit/"],
  [/^bitbucket[.]org$/, "/commits/"],
];

/**
 * The address of commits on the forge of a remote, without the id: `https://github.com/o/r/commit/`; null for other
 * hosts. The remote is untrusted and may hold a password, which is dropped.
 */
export function commitUrlOf(remote: string): string | null {
  const [, host = "", path = ""] =
    /^(?:https?|ssh|git):\/\/(?:[^/?#]*@)?([a-z\d.-]+)(?::\d+)?\/+([^?#\s]+?)\/?$/i.exec(remote) ??
    /^(?:[^\s/@:]+@)?([a-z\d.-]+):(?!\/\/)\/*([^?#\s]+?)\/?$/i.exec(remote) ??
    [];
  const name = host.toLowerCase();
  const forge = forges.find(([known]) => known.test(name));
  const repository = path.replace(/[.]git$/, "");
  if (forge === undefined || !/^[\w.~-]+(?:\/[\w.~-]+)+$/.test(repository)) return null;
  return `https://${name}/${repository}${forge[1]}`;
}
