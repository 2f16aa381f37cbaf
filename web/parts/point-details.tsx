import type { VersionColumns } from "../../src/core/pages/columns.ts";
import type { PageSource, ProfileLine, LiveSource, RunLine } from "../../src/core/pages/source.ts";
import { useAnswer, Answered } from "./answer.tsx";
import type { FoundChange } from "../model/change-lines.ts";
import { countText, shortId, timeText, valueText } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import { href } from "../context/route.ts";
import type { History } from "../model/series-lines.ts";
import { Text } from "./text.tsx";
import { type VersionLine, versionLine } from "../model/version-lines.ts";
import { Delta, Word } from "./outcome.tsx";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

interface EvidenceProps {
  readonly source: LiveSource;
  /** Places in the lists. */
  readonly series: number;
  readonly version: number;
  /** Id of the version. */
  readonly id: string;
}

/** Milliseconds: who walks along a history does not ask of each point that is passed. */
const rest = 250;

/** What a point rests on, asked for when somebody wants to see it. */
function EvidencePanel({ source, series, version, id }: EvidenceProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What this rests on</summary>
      {isOpen && <Rests key={version} source={source} series={series} version={version} id={id} />}
    </details>
  );
}

function Rests({ source, series, version, id }: EvidenceProps): JSX.Element {
  const { moment } = usePage();
  const evidence = useAnswer(async () => {
    await new Promise((resolve) => setTimeout(resolve, rest));
    return source.evidence(series, version);
  }, [moment, series, version]);
  return (
    <Answered of={evidence} what="runs and profiles">
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
          {more > 0 && <li class="quiet">and {countText(more)} older ones</li>}
          {profiles.length + runs.length === 0 && <li>Nothing of it is there any longer.</li>}
        </ul>
      )}
    </Answered>
  );
}

function Run({ of }: { of: RunLine }): JSX.Element {
  return (
    <>
      run {of.number} {of.words !== "" && <Text of={of.words} short={120} />}{" "}
      <span class="quiet">
        {[timeText(of.performed), `${countText(of.rows)} data sets`].filter((part) => part !== "").join(", ")}
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
  /** Place of the series in the list of all. */
  readonly series: number;
  readonly history: History;
  readonly versions: VersionColumns;
  readonly at: number;
  readonly unit: string;
  /** The change that begins there. */
  readonly change: FoundChange | undefined;
}

/** The chosen point: what was measured, and the commit it was measured at. */
export function PointDetails({ series, history, versions, at, unit, change }: PointDetailsProps): JSX.Element {
  const { live } = usePage().source;
  const version = versionLine(versions, history.version[at] ?? -1);
  const before = versionLine(versions, history.version[at - 1] ?? -1);
  const short = unit.slice(0, 20);
  const [low, high] = [history.low[at] ?? Number.NaN, history.high[at] ?? Number.NaN];
  return (
    <section class="panel" aria-label="The chosen point">
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
            <dt>measured</dt>
            <dd>
              <Text of={`${valueText(low, short)} to ${valueText(high, short)}`} />
            </dd>
          </>
        )}
        <dt>values</dt>
        <dd>{history.n[at] ?? 0}</dd>
        {version === undefined ? <NoVersion /> : <Commit of={version} before={before} />}
      </dl>
      {live !== undefined && version !== undefined && (
        <EvidencePanel source={live} series={series} version={version.place} id={version.id} />
      )}
    </section>
  );
}

/** What the change is, how sure it is, and what was decided about it. */
function Change({ of }: { of: FoundChange }): JSX.Element {
  return (
    <>
      <dt>change</dt>
      <dd>
        <Word of={of.word} /> <Delta of={of.delta} low={of.low} high={of.high} />
        {of.q !== null && <div class="quiet">false alarms among such changes: {chanceText(of.q)}</div>}
        {of.suspects > 1 && <div class="quiet">made by one of {countText(of.suspects)} commits</div>}
      </dd>
      {of.triage !== null && (
        <>
          <dt>decided</dt>
          <dd>
            <Text of={of.triage} short={80} />
          </dd>
        </>
      )}
    </>
  );
}

/** `< 0.1 %`: at most that share of the changes that look as sure are none. */
function chanceText(q: number): string {
  return q < 0.001 ? "< 0.1 %" : `${(q * 100).toPrecision(2)} %`;
}

function NoVersion(): JSX.Element {
  return (
    <>
      <dt>version</dt>
      <dd>not known</dd>
    </>
  );
}

function Commit({ of, before }: { of: VersionLine; before: VersionLine | undefined }): JSX.Element {
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

/** The way to what is different between two versions: any two in the dashboard, in a report where it holds that. */
function Differences({ before, after }: { before: VersionLine; after: VersionLine }): JSX.Element | null {
  const { source } = usePage();
  const held = useAnswer(() => heldDifferences(source, before.place, after.place), [source, before.place, after.place]);
  if (source.live !== undefined) {
    return (
      <>
        {", "}
        <a href={href("compare", "", { before: before.id, after: after.id })}>compare with {shortId(before.id)}</a>
      </>
    );
  }
  if (held.state !== "there") return null;
  return (
    <>
      {held.value.map(([base, target, title]) => (
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

/** Those between profiles of the two versions. */
async function heldDifferences(source: PageSource, before: number, after: number): Promise<readonly Difference[]> {
  if (source.live !== undefined) return [];
  const [all, bases, targets] = await Promise.all([
    source.differences(),
    source.profiles(before),
    source.profiles(after),
  ]);
  const has = (lines: readonly ProfileLine[], wanted: string): boolean => lines.some(({ object }) => object === wanted);
  return all.filter(([base, target]) => has(bases, base) && has(targets, target));
}
