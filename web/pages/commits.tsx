import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { VersionColumns } from "../../src/core/pages/index.ts";
import { changeCounts } from "../model/change-lines.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { countText, dayText, shortId } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";
import { go, href, type Route } from "../context/route.ts";
import { Text } from "../parts/text.tsx";
import { matchingCommits, commitLine } from "../model/commit-lines.ts";

/** All commits, newest first. */
export function CommitsPage({ route }: PageProps): JSX.Element {
  const { source, revision } = usePage();
  const answer = useLoaded(async () => {
    const [columns, changes] = await Promise.all([source.versions(), source.changes()]);
    return { columns, changes: changeCounts(changes) };
  }, [revision]);
  return (
    <>
      <h1>Commits</h1>
      <Loaded of={answer} what="commits">
        {(loaded) => <CommitList {...loaded} params={route.params} />}
      </Loaded>
    </>
  );
}

const tableColumns: readonly VirtualColumn[] = [
  { label: "commit", width: "96px" },
  { label: "date", width: "92px", optional: true },
  { label: "subject", width: "minmax(0, 4fr)" },
  { label: "author", width: "minmax(0, 1fr)", optional: true },
  { label: "profiles", width: "64px", right: true },
  { label: "changes", width: "64px", right: true },
];

interface CommitListProps {
  readonly columns: VersionColumns;
  /** Number of changes of each commit, by its index. */
  readonly changes: ReadonlyMap<number, number>;
  readonly params: Route["params"];
}

function CommitList({ columns, changes, params }: CommitListProps): JSX.Element {
  const { text = "", only = "" } = params;
  const indexes = useMemo(() => {
    const isSelected = (index: number): boolean =>
      only === "" || (only === "changes" ? changes.has(index) : (columns.arrays.profiles[index] ?? 0) > 0);
    return matchingCommits(columns, text, isSelected);
  }, [columns, changes, text, only]);
  const set = (next: Route["params"]): void => {
    const all = Object.entries({ ...params, ...next }).filter(([, value]) => value !== "");
    go(href("commits", "", Object.fromEntries(all)), true);
  };
  const cells = (row: number): JSX.Element[] => {
    const version = commitLine(columns, indexes[row] ?? -1);
    if (version === undefined) return [];
    return [
      <a class="code" href={href("commits", version.id)}>
        {shortId(version.id)}
      </a>,
      <>{dayText(version.date)}</>,
      <Text of={version.subject} short={200} />,
      <Text of={version.author} short={60} />,
      <>{countOrNone(version.profiles)}</>,
      <>{countOrNone(changes.get(version.index) ?? 0)}</>,
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
          Show
          <select value={only} onChange={(event) => set({ only: event.currentTarget.value })}>
            <option value="">all</option>
            <option value="profiles">with profiles</option>
            <option value="changes">with changes</option>
          </select>
        </label>
        <span class="quiet" role="status">
          {countText(indexes.length)} of {countText(columns.facts.ids.length)}
        </span>
      </div>
      <VirtualRows label="Commits" columns={tableColumns} count={indexes.length} cells={cells} />
    </>
  );
}

function countOrNone(count: number): string {
  return count === 0 ? "" : countText(count);
}
