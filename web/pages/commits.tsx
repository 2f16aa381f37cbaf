import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { VersionColumns } from "../../src/core/pages/columns.ts";
import { changeCounts } from "../model/change-lines.ts";
import { Answered, useAnswer } from "../parts/answer.tsx";
import { countText, dayText, shortId } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";
import { go, href, type Route } from "../context/route.ts";
import { Text } from "../parts/text.tsx";
import { fittingVersions, versionLine } from "../model/version-lines.ts";

/** All versions, the newest first. */
export function CommitsPage({ route }: PageProps): JSX.Element {
  const { source, moment } = usePage();
  const answer = useAnswer(async () => {
    const [columns, changes] = await Promise.all([source.versions(), source.changes()]);
    return { columns, changes: changeCounts(changes) };
  }, [moment]);
  return (
    <>
      <h1>Commits</h1>
      <Answered of={answer} what="commits">
        {(told) => <CommitList {...told} words={route.words} />}
      </Answered>
    </>
  );
}

const heads: readonly VirtualColumn[] = [
  { label: "commit", width: "96px" },
  { label: "date", width: "92px", spare: true },
  { label: "subject", width: "minmax(0, 4fr)" },
  { label: "author", width: "minmax(0, 1fr)", spare: true },
  { label: "profiles", width: "64px", right: true },
  { label: "changes", width: "64px", right: true },
];

interface CommitListProps {
  readonly columns: VersionColumns;
  /** How many changes each version made, by its place. */
  readonly changes: ReadonlyMap<number, number>;
  readonly words: Route["words"];
}

function CommitList({ columns, changes, words }: CommitListProps): JSX.Element {
  const { text = "", only = "" } = words;
  const places = useMemo(() => {
    const isWanted = (place: number): boolean =>
      only === "" || (only === "changes" ? changes.has(place) : (columns.arrays.profiles[place] ?? 0) > 0);
    return fittingVersions(columns, text, isWanted);
  }, [columns, changes, text, only]);
  const set = (next: Route["words"]): void => {
    const all = Object.entries({ ...words, ...next }).filter(([, value]) => value !== "");
    go(href("commits", "", Object.fromEntries(all)), true);
  };
  const cells = (row: number): JSX.Element[] => {
    const version = versionLine(columns, places[row] ?? -1);
    if (version === undefined) return [];
    return [
      <a class="code" href={href("commits", version.id)}>
        {shortId(version.id)}
      </a>,
      <>{dayText(version.date)}</>,
      <Text of={version.subject} short={200} />,
      <Text of={version.author} short={60} />,
      <>{countOrNone(version.profiles)}</>,
      <>{countOrNone(changes.get(version.place) ?? 0)}</>,
    ];
  };
  return (
    <>
      <div class="bar" role="search">
        <label>
          Search
          <input type="search" value={text} onInput={(event) => set({ text: event.currentTarget.value })} />
        </label>
        <label>
          Which
          <select value={only} onChange={(event) => set({ only: event.currentTarget.value })}>
            <option value="">all</option>
            <option value="profiles">with profiles</option>
            <option value="changes">with changes</option>
          </select>
        </label>
        <span class="quiet" role="status">
          {countText(places.length)} of {countText(columns.facts.ids.length)}
        </span>
      </div>
      <VirtualRows label="Commits" columns={heads} count={places.length} cells={cells} />
    </>
  );
}

function countOrNone(count: number): string {
  return count === 0 ? "" : countText(count);
}
