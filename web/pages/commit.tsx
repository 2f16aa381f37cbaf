import type { VersionColumns, ChangeColumns, SeriesColumns, ProfileLine } from "../../src/core/pages/index.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { changesOf, detectedChange } from "../model/change-lines.ts";
import { shortId, timeText, countText } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";
import { Delta, Outcome } from "../parts/outcome.tsx";
import { go, href, type Route } from "../context/route.ts";
import { Lines, Text } from "../parts/text.tsx";
import { indexOfCommit, type CommitLine, commitLine } from "../model/commit-lines.ts";
import type { LoadedComparison } from "../model/comparison-view.ts";
import { compareStates, comparisonSentence } from "../../src/query/pages/index.ts";
import { ComparisonTable } from "./comparison-table.tsx";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

const columns: readonly VirtualColumn[] = [
  { label: "verdict", width: "104px" },
  { label: "benchmark", width: "minmax(0, 3fr)" },
  { label: "metric", width: "minmax(0, 1fr)", optional: true },
  { label: "change", width: "minmax(84px, 1.6fr)", right: true },
  { label: "suspects", width: "76px", right: true, optional: true },
  { label: "triage", width: "92px", optional: true },
];

interface DetectedChangesProps {
  readonly series: SeriesColumns;
  readonly changes: ChangeColumns;
  /** Indexes into `changes`. */
  readonly indexes: readonly number[];
}

/** The changes of a commit. */
function DetectedChanges({ series, changes, indexes }: DetectedChangesProps): JSX.Element {
  const cells = (row: number): JSX.Element[] => {
    const change = detectedChange(changes, series, indexes[row] ?? -1);
    return [
      <Outcome of={change.word} />,
      <a href={href("series", change.series.key)}>
        <Text of={change.series.benchmark} short={200} />
      </a>,
      <Text of={change.series.metric} short={80} />,
      <Delta of={change.delta} low={change.low} high={change.high} />,
      <>{change.suspects > 1 ? countText(change.suspects) : ""}</>,
      <Text of={change.triage ?? ""} short={40} />,
    ];
  };
  return <VirtualRows label="Changes" columns={columns} count={indexes.length} cells={cells} />;
}

/** One commit: its metadata, changes and profiles. */
export function CommitPage({ overview, route }: PageProps): JSX.Element {
  const { source, revision } = usePage();
  const answer = useLoaded(async () => {
    const versions = await source.versions();
    const version = commitLine(versions, indexOfCommit(versions, route.of));
    if (version === undefined) throw new Error(`No such commit: ${route.of.slice(0, 60)}`);
    const [series, changes] = await Promise.all([source.series(), source.changes()]);
    const profiles = version.profiles > 0 ? await source.profiles(version.index) : [];
    const before = version.parent >= 0 ? version.parent : version.index - 1;
    const levels =
      before < 0 || series.arrays.key.length === 0 ? undefined : await source.levels(before, version.index);
    return { versions, version, profiles, series, changes, levels };
  }, [revision, route.of]);
  return (
    <Loaded of={answer} what="the commit">
      {({ versions, version, profiles, series, changes, levels }) => {
        const indexes = changesOf(changes, "after", version.index);
        return (
          <>
            <h1>
              <Text of={version.subject === "" ? version.id : version.subject} short={400} />
            </h1>
            <Facts of={version} versions={versions} url={overview.commitUrl} />
            <Message versions={versions} index={version.index} />
            <h2>Changes</h2>
            {indexes.length === 0 ? (
              <p class="quiet">No changes detected at this commit.</p>
            ) : (
              <DetectedChanges series={series} changes={changes} indexes={indexes} />
            )}
            {levels !== undefined && <Numbers loaded={{ versions, series, changes, levels }} route={route} />}
            <h2>Profiles</h2>
            {profiles.length === 0 ? (
              <p class="quiet">No profiles.</p>
            ) : (
              <ProfileTable of={profiles} version={version.id} />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Message({ versions, index }: { versions: VersionColumns; index: number }): JSX.Element | null {
  const body = versions.facts.bodies.find(([at]) => at === index)?.[1];
  return body === undefined ? null : <Lines of={body} />;
}

interface NumbersProps {
  readonly loaded: Omit<LoadedComparison, "rows">;
  readonly route: Route;
}

/** All numbers measured at the commit against the ones before. */
function Numbers({ loaded, route }: NumbersProps): JSX.Element {
  const { versions, series, changes, levels } = loaded;
  const { from, to } = levels.facts;
  const rows = useMemo(
    () => compareStates(series, changes, levels).filter((row) => levels.arrays.afterAt[row.series] === to),
    [series, changes, levels],
  );
  const [before = "", after = ""] = [from, to].map((index) => versions.facts.ids[index]);
  const set = (next: Route["params"]): void => {
    const all = Object.entries({ ...route.params, ...next }).filter(([, value]) => value !== "");
    go(href("commits", route.of, Object.fromEntries(all)), true);
  };
  return (
    <section aria-labelledby="numbers">
      <h2 id="numbers">Numbers</h2>
      {rows.length === 0 ? (
        <p class="quiet">Nothing was measured at this commit.</p>
      ) : (
        <>
          <p>
            <Text of={comparisonSentence(rows, series)} short={300} /> ·{" "}
            <a href={href("compare", "", { from: before, to: after })}>compared with {shortId(before)}</a>
          </p>
          <ComparisonTable
            loaded={{ ...loaded, rows }}
            params={{ group: "none", ...route.params, from: before, to: after }}
            onSet={set}
          />
        </>
      )}
    </section>
  );
}

interface FactsProps {
  readonly of: CommitLine;
  readonly versions: VersionColumns;
  readonly url: string | undefined;
}

function Facts({ of, versions, url }: FactsProps): JSX.Element {
  const parent = commitLine(versions, of.parent);
  const next = commitLine(versions, versions.arrays.parents.indexOf(of.index));
  return (
    <dl class="facts">
      <dt>commit</dt>
      <dd class="code">
        {url === undefined ? (
          of.id
        ) : (
          <a href={url + encodeURIComponent(of.id)} rel="noreferrer">
            {of.id}
          </a>
        )}
      </dd>
      <dt>author</dt>
      <dd>
        <Text of={of.author} short={200} />
      </dd>
      <dt>date</dt>
      <dd>{timeText(of.date)}</dd>
      <AdjacentCommit title="parent" of={parent} />
      <AdjacentCommit title="child" of={next} />
    </dl>
  );
}

function AdjacentCommit({ title, of }: { title: string; of: CommitLine | undefined }): JSX.Element | null {
  if (of === undefined) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <a class="code" href={href("commits", of.id)}>
          {shortId(of.id)}
        </a>{" "}
        <Text of={of.subject} short={100} />
      </dd>
    </>
  );
}

/** The profiles of a commit, with links to their views. */
function ProfileTable({ of, version }: { readonly of: readonly ProfileLine[]; readonly version: string }): JSX.Element {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Profiles">
      <table>
        <thead>
          <tr>
            <th scope="col">profile</th>
            <th scope="col">type</th>
            <th scope="col">collector</th>
            <th scope="col" class="spare">
              command
            </th>
            <th scope="col" class="spare">
              workload
            </th>
            <th scope="col" class="spare">
              time
            </th>
          </tr>
        </thead>
        <tbody>
          {of.map((line) => (
            <tr key={`${line.object} ${line.name}`}>
              <td>
                <a href={href("profiles", "", { version, object: line.object })}>
                  <Text of={line.name} short={100} />
                </a>
              </td>
              <td>
                <Text of={line.type} short={40} />
              </td>
              <td>
                <Text of={line.collector} short={40} />
              </td>
              <td class="spare">
                <Text of={line.cmd} short={80} code />
              </td>
              <td class="spare">
                <Text of={line.workload} short={60} />
              </td>
              <td class="spare">{timeText(line.time)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
