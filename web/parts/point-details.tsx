import type { VersionColumns, PageSource, ProfileLine, LiveSource, RunLine } from "../../src/core/pages/index.ts";
import { useLoaded, Loaded } from "./answer.tsx";
import type { DetectedChange } from "../model/change-lines.ts";
import { countText, shortId, timeText, valueText } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import { href } from "../context/route.ts";
import type { History } from "../model/series-lines.ts";
import { Text } from "./text.tsx";
import { type CommitLine, commitLine } from "../model/commit-lines.ts";
import { Delta, Outcome } from "./outcome.tsx";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

interface EvidenceProps {
  readonly source: LiveSource;
  /** Indexes in the lists of series and commits. */
  readonly series: number;
  readonly version: number;
  /** Id of the commit. */
  readonly id: string;
}

/** Delay before loading, so that moving along a history does not request every point. */
const debounceMs = 250;

/** The runs and profiles of a point, loaded when opened. */
export function EvidencePanel({ source, series, version, id }: EvidenceProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Evidence</summary>
      {isOpen && <EvidenceList key={version} source={source} series={series} version={version} id={id} />}
    </details>
  );
}

function EvidenceList({ source, series, version, id }: EvidenceProps): JSX.Element {
  const { revision } = usePage();
  const evidence = useLoaded(async () => {
    await new Promise((resolve) => setTimeout(resolve, debounceMs));
    return source.evidence(series, version);
  }, [revision, series, version]);
  return (
    <Loaded of={evidence} what="runs and profiles">
      {({ profiles, runs, more }) => (
        <ul class="evidence">
          {profiles.map((line) => (
            <li key={line.object}>
              <a href={href("profiles", "", { version: id, object: line.object })}>
                <Text of={line.name} short={120} />
              </a>{" "}
              <span class="quiet">{timeText(line.time)}</span>
            </li>
          ))}
          {runs.map((run) => (
            <li key={run.number}>
              <Run of={run} />
            </li>
          ))}
          {more > 0 && <li class="quiet">and {countText(more)} older</li>}
          {profiles.length + runs.length === 0 && <li>The underlying data was removed.</li>}
        </ul>
      )}
    </Loaded>
  );
}

function Run({ of }: { of: RunLine }): JSX.Element {
  return (
    <>
      run {of.number} {of.words !== "" && <Text of={of.words} short={120} />}{" "}
      <span class="quiet">
        {[timeText(of.performed), `${countText(of.rows)} rows`].filter((part) => part !== "").join(", ")}
        {of.performer !== "" && (
          <>
            {", by "}
            <Text of={of.performer} short={60} />
          </>
        )}
        {of.files.map((file, i) => (
          <div key={i}>
            <Text of={file} short={200} code />
          </div>
        ))}
        {of.moreFiles > 0 && <div>and {countText(of.moreFiles)} more files</div>}
      </span>
    </>
  );
}

interface PointDetailsProps {
  /** Index of the series. */
  readonly series: number;
  readonly history: History;
  readonly versions: VersionColumns;
  readonly at: number;
  readonly unit: string;
  /** The change at this point. */
  readonly change: DetectedChange | undefined;
}

/** The selected point: its values and commit. */
export function PointDetails({ series, history, versions, at, unit, change }: PointDetailsProps): JSX.Element {
  const { live } = usePage().source;
  const version = commitLine(versions, history.version[at] ?? -1);
  const before = commitLine(versions, history.version[at - 1] ?? -1);
  const short = unit.slice(0, 20);
  const [low, high] = [history.low[at] ?? Number.NaN, history.high[at] ?? Number.NaN];
  return (
    <section class="panel" aria-label="Selected point">
      <dl class="facts">
        <dt>value</dt>
        <dd>
          <b>
            <Text of={valueText(history.center[at] ?? Number.NaN, short)} />
          </b>
          {change === undefined && history.changes.includes(at) && <span class="quiet"> · a change</span>}
        </dd>
        {change !== undefined && <Change of={change} />}
        {low !== high && (
          <>
            <dt>range</dt>
            <dd>
              <Text of={`${valueText(low, short)} to ${valueText(high, short)}`} />
            </dd>
          </>
        )}
        <dt>values</dt>
        <dd>{history.n[at] ?? 0}</dd>
        {version === undefined ? <UnknownCommit /> : <Commit of={version} before={before} />}
      </dl>
      {live !== undefined && version !== undefined && (
        <EvidencePanel source={live} series={series} version={version.index} id={version.id} />
      )}
    </section>
  );
}

/** The change, its false discovery rate and its triage. */
function Change({ of }: { of: DetectedChange }): JSX.Element {
  return (
    <>
      <dt>change</dt>
      <dd>
        <Outcome of={of.word} /> <Delta of={of.delta} low={of.low} high={of.high} />
        {of.q !== null && <div class="quiet">false discovery rate: {rateText(of.q)}</div>}
        {of.suspects > 1 && <div class="quiet">introduced by one of {countText(of.suspects)} commits</div>}
      </dd>
      {of.triage !== null && (
        <>
          <dt>triage</dt>
          <dd>
            <Text of={of.triage} short={80} />
          </dd>
        </>
      )}
    </>
  );
}

/** A false discovery rate as a percentage: `< 0.1 %`. */
function rateText(q: number): string {
  return q < 0.001 ? "< 0.1 %" : `${(q * 100).toPrecision(2)} %`;
}

function UnknownCommit(): JSX.Element {
  return (
    <>
      <dt>commit</dt>
      <dd>unknown</dd>
    </>
  );
}

function Commit({ of, before }: { of: CommitLine; before: CommitLine | undefined }): JSX.Element {
  return (
    <>
      <dt>commit</dt>
      <dd>
        <a class="code" href={href("commits", of.id)}>
          {shortId(of.id)}
        </a>
      </dd>
      <dt>subject</dt>
      <dd>
        <Text of={of.subject} short={300} />
      </dd>
      <dt>author</dt>
      <dd>
        <Text of={of.author} short={120} />
      </dd>
      <dt>date</dt>
      <dd>{timeText(of.date)}</dd>
      {of.profiles > 0 && (
        <>
          <dt>profiles</dt>
          <dd>
            <a href={href("profiles", "", { version: of.id })}>{of.profiles} here</a>
            {before !== undefined && before.profiles > 0 && <Differences before={before} after={of} />}
          </dd>
        </>
      )}
    </>
  );
}

/** Links to the differences of two commits: always in the dashboard, if stored in a report. */
function Differences({ before, after }: { before: CommitLine; after: CommitLine }): JSX.Element | null {
  const { source } = usePage();
  const stored = useLoaded(
    () => storedDifferences(source, before.index, after.index),
    [source, before.index, after.index],
  );
  if (source.live !== undefined) {
    return (
      <>
        {", "}
        <a href={href("compare", "", { before: before.id, after: after.id })}>compare with {shortId(before.id)}</a>
      </>
    );
  }
  if (stored.state !== "there") return null;
  return (
    <>
      {stored.value.map(([base, target, title]) => (
        <div key={`${base} ${target}`}>
          <a href={href("compare", "", { base, target })}>
            difference of <Text of={title} short={80} />
          </a>
        </div>
      ))}
    </>
  );
}

type Difference = readonly [base: string, target: string, title: string];

/** The stored differences between profiles of the two commits. */
async function storedDifferences(source: PageSource, before: number, after: number): Promise<readonly Difference[]> {
  if (source.live !== undefined) return [];
  const [all, bases, targets] = await Promise.all([
    source.differences(),
    source.profiles(before),
    source.profiles(after),
  ]);
  const has = (lines: readonly ProfileLine[], wanted: string): boolean => lines.some(({ object }) => object === wanted);
  return all.filter(([base, target]) => has(bases, base) && has(targets, target));
}
