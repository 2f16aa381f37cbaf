import type { JSX } from "preact";
import type { ChangeLine, Overview } from "../../src/core/pages/index.ts";
import { counted } from "../../src/core/text/index.ts";
import { verdictOutcomes } from "../../src/core/verdicts/index.ts";
import { countText, minuteText } from "../model/number-text.ts";
import type { PageProps } from "./page-props.ts";
import { ChangeTable } from "../parts/change-table.tsx";
import { outcomeTitles } from "../parts/outcome.tsx";
import { go, href } from "../context/route.ts";
import { usePage } from "../context/page-context.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { ExperimentFigures } from "./experiments.tsx";
import { shown, Text } from "../parts/text.tsx";

/** Counts by outcome, the most significant changes and the totals. */
export function OverviewPage({ overview, route }: PageProps): JSX.Element {
  const isFirst = overview.judging === true && overview.totals.series === 0;
  const { totals } = overview;
  if (!isFirst && totals.profiles + totals.measured === 0) return <Home overview={overview} />;
  return (
    <>
      <h1>
        <Text of={overview.project} short={200} />
      </h1>
      {isFirst ? null : <Lead overview={overview} />}
      {overview.judging === true && <Analyzing overview={overview} />}
      {isFirst ? null : <Tiles overview={overview} />}
      <Notes of={overview.notes} />
      {isFirst ? null : <Changes of={overview.changes} all={reportedCount(overview)} params={route.params} />}
      <Totals overview={overview} />
    </>
  );
}

/** The first page without measured commits: what to do first, or the experiments. */
function Home({ overview }: { overview: Overview }): JSX.Element {
  const { experiments } = overview;
  return (
    <>
      <h1>
        <Text of={overview.project} short={200} />
      </h1>
      {experiments.length === 0 ? (
        <>
          <p class="lead">Nothing is measured here yet.</p>
          <FirstSteps />
        </>
      ) : (
        <p class="lead">
          {counted(overview.totals.runs, "run")} of {counted(experiments.length, "experiment")}. None belongs to a
          commit, so there is no history to judge.
        </p>
      )}
      {experiments.slice(0, mostAtHome).map((line) => (
        <ExperimentAtHome key={line.name} line={line} />
      ))}
      {experiments.length > mostAtHome && <a href={href("experiments")}>All experiments</a>}
      {overview.notes.length > 0 && (
        <details>
          <summary>Notes</summary>
          <Notes of={overview.notes} />
        </details>
      )}
    </>
  );
}

/** Experiments with their charts on the first page. */
const mostAtHome = 3;

const firstSteps: readonly (readonly [what: string, command: string])[] = [
  ["Measure a program at this commit:", "perfkeep init && perfkeep collect time -- ./bench && perfkeep add 0@p"],
  ["Or import what a benchmark printed:", "perfkeep import results.json"],
  ["Then look for changes since the last commit:", "perfkeep compare HEAD~1 HEAD"],
];

function FirstSteps(): JSX.Element {
  return (
    <ol class="panel steps">
      {firstSteps.map(([what, command]) => (
        <li key={command}>
          {what}
          <pre class="text" tabIndex={0}>
            {command}
          </pre>
        </li>
      ))}
    </ol>
  );
}

function ExperimentAtHome({ line }: { line: Overview["experiments"][number] }): JSX.Element {
  const { source, revision } = usePage();
  const page = useLoaded(() => source.experiment(line.name), [revision, line.name]);
  return (
    <section aria-label={shown(line.name).slice(0, 80)}>
      <h2>
        <a href={href("experiments", line.name)}>
          <Text of={line.name} short={120} />
        </a>
      </h2>
      <p class="quiet">
        {line.synopsis !== "" && (
          <>
            <Text of={line.synopsis} short={300} />
            {" · "}
          </>
        )}
        {counted(line.runs, "run")}, {counted(line.rows, "row")}
      </p>
      <Loaded of={page} what="the experiment">
        {({ figures }) => <ExperimentFigures figures={figures} />}
      </Loaded>
    </section>
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
          <a href={word === "same" ? href("series", "", { word }) : href("", "", { word })}>{outcomeTitles[word]}</a>
          {word === "inconclusive" && overview.unjudged > 0 && (
            <span class="quiet"> {countText(overview.unjudged)} without enough points</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Number of changes without those of series that could not be judged. */
function reportedCount({ outcomes, unjudged }: Overview): number {
  return outcomes.worse + outcomes.better + outcomes.inconclusive - unjudged;
}

interface ChangesProps {
  readonly of: readonly ChangeLine[];
  /** Number of changes with those that are not listed. */
  readonly all: number;
  readonly params: PageProps["route"]["params"];
}

function Changes({ of, all, params }: ChangesProps): JSX.Element {
  const { word = "", text = "" } = params;
  const choose = (next: Readonly<Record<string, string>>): void => {
    const chosen = Object.entries({ ...params, ...next }).filter(([, value]) => value !== "");
    go(href("", "", Object.fromEntries(chosen)), true);
  };
  const small = text.toLowerCase();
  const lines = of.filter((line) => (word === "" || line.outcome === word) && line.key.toLowerCase().includes(small));
  if (of.length === 0) return <p>No significant changes.</p>;
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Most significant changes</h2>
      <div class="bar">
        <label>
          Search
          <input type="search" value={text} onInput={(event) => choose({ text: event.currentTarget.value })} />
        </label>
        <div class="choice" role="group" aria-label="Outcome">
          {(["", "worse", "better", "inconclusive"] as const).map((each) => (
            <button key={each} type="button" aria-pressed={word === each} onClick={() => choose({ word: each })}>
              {each === "" ? "all" : outcomeTitles[each]}
            </button>
          ))}
        </div>
        <span class="quiet" role="status">
          {lines.length === all ? "" : `${lines.length} of ${countText(all)} changes`}
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
