import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ChangeLine, Overview } from "../../src/core/pages/index.ts";
import { type VerdictOutcome, verdictOutcomes } from "../../src/core/verdicts/index.ts";
import { countText, minuteText } from "../model/number-text.ts";
import type { PageProps } from "./page-props.ts";
import { ChangeTable } from "../parts/change-table.tsx";
import { outcomeTitles } from "../parts/outcome.tsx";
import { href } from "../context/route.ts";
import { Text } from "../parts/text.tsx";

/** Counts by outcome, the most significant changes and the totals. */
export function OverviewPage({ overview }: PageProps): JSX.Element {
  const isFirst = overview.judging === true && overview.totals.series === 0;
  return (
    <>
      <h1>
        <Text of={overview.project} short={200} />
      </h1>
      {isFirst ? null : <Lead overview={overview} />}
      {overview.judging === true && <Analyzing overview={overview} />}
      {isFirst ? null : <Tiles overview={overview} />}
      <Notes of={overview.notes} />
      {isFirst ? null : <Changes of={overview.changes} all={reportedCount(overview)} />}
      <Totals overview={overview} />
    </>
  );
}

function Lead({ overview }: { overview: Overview }): JSX.Element {
  return (
    <p class="lead">
      {overview.range === "" ? "All of history" : <Text of={overview.range} short={200} />}:{" "}
      {countText(overview.totals.series)} series with {countText(overview.totals.points)} points over{" "}
      {countText(overview.totals.measured)} measured commits.
    </p>
  );
}

/** The page is out of date and refreshes itself. */
function Analyzing({ overview }: { overview: Overview }): JSX.Element {
  return (
    <p class="panel" role="status">
      {overview.totals.series === 0
        ? "History is being analyzed for the first time. Results appear here when it finishes; " +
          "experiments and profiles are already available."
        : `New data is being analyzed. This page shows the results of ${minuteText(overview.generatedAt)} UTC.`}
    </p>
  );
}

function Notes({ of }: { of: readonly string[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <ul class="panel notes" aria-label="Notes">
      {of.map((note, i) => (
        <li key={i}>
          <Text of={note} />
        </li>
      ))}
    </ul>
  );
}

function Tiles({ overview }: { overview: Overview }): JSX.Element {
  return (
    <ul class="tiles" aria-label="Verdicts">
      {verdictOutcomes.map((word) => (
        <li key={word} class={`tile ${overview.outcomes[word] > 0 ? word : ""}`}>
          <b>{countText(overview.outcomes[word])}</b>
          <a href={href("series", "", { word })}>{outcomeTitles[word]}</a>
          {word === "inconclusive" && overview.unjudged > 0 && (
            <span class="quiet">{countText(overview.unjudged)} without enough points</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Number of series whose newest change would be listed. */
function reportedCount({ outcomes, unjudged }: Overview): number {
  return outcomes.worse + outcomes.better + outcomes.inconclusive - unjudged;
}

/** `all`: number of changes with those that are not listed. */
function Changes({ of, all }: { of: readonly ChangeLine[]; all: number }): JSX.Element {
  const [word, setWord] = useState<VerdictOutcome | "">("");
  const [text, setText] = useState("");
  const small = text.toLowerCase();
  const lines = of.filter((line) => (word === "" || line.outcome === word) && line.key.toLowerCase().includes(small));
  if (of.length === 0) return <p>No significant changes.</p>;
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Most significant changes</h2>
      <div class="bar">
        <label>
          Search
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <div class="choice" role="group" aria-label="Outcome">
          {(["", "worse", "better", "inconclusive"] as const).map((each) => (
            <button key={each} type="button" aria-pressed={word === each} onClick={() => setWord(each)}>
              {each === "" ? "all" : outcomeTitles[each]}
            </button>
          ))}
        </div>
        <span class="quiet" role="status">
          {lines.length === all ? "" : `${lines.length} of ${countText(all)} series`}
        </span>
      </div>
      <ChangeTable lines={lines} />
    </section>
  );
}

const totalTitles: Readonly<Record<keyof Overview["totals"], string>> = {
  commits: "commits",
  measured: "measured commits",
  profiles: "profiles",
  series: "series",
  points: "points",
  experiments: "experiments",
  runs: "runs",
};

function Totals({ overview }: { overview: Overview }): JSX.Element {
  const all = Object.entries(totalTitles) as [keyof Overview["totals"], string][];
  // Totals that are still unknown are 0; hide them.
  const totals = overview.judging === true ? all.filter(([name]) => overview.totals[name] > 0) : all;
  return (
    <section aria-labelledby="totals">
      <h2 id="totals">Data</h2>
      <dl class="facts">
        {totals.flatMap(([name, title]) => [
          <dt key={name}>{title}</dt>,
          <dd key={`${name}-of`}>{countText(overview.totals[name])}</dd>,
        ])}
      </dl>
    </section>
  );
}
