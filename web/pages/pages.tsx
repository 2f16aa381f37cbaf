import type { Figure } from "../../src/core/figures/index.ts";
import type { Overview, LiveSource } from "../../src/core/pages/index.ts";
import { Loaded, Failed, messageOf, useLoaded } from "../parts/answer.tsx";
import { countText } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { CommitPage } from "./commit.tsx";
import { CommitsPage } from "./commits.tsx";
import { ComparePage } from "./compare.tsx";
import { OverviewPage } from "./overview.tsx";
import { ProfilesPage } from "./profiles.tsx";
import { SeriesListPage } from "./series-list.tsx";
import { SeriesPage } from "./series.tsx";
import { FigureView } from "../charts/figure.tsx";
import { QueryBuilder } from "./query-builder.tsx";
import { href } from "../context/route.ts";
import { Text } from "../parts/text.tsx";
import type { FunctionComponent, JSX } from "preact";
import { useState } from "preact/hooks";

/** A page of the app; `name` is the first segment of its address. */
export interface PageKind {
  readonly name: string;
  readonly title: string;
  readonly Page: FunctionComponent<PageProps>;
  /** The page is hidden if this total is 0. */
  readonly needs?: keyof Overview["totals"];
}

/** A list page, or the page of one item if the address names it. */
function listOrOne(
  List: FunctionComponent<PageProps>,
  One: FunctionComponent<PageProps>,
): FunctionComponent<PageProps> {
  return (props) => (props.route.of === "" ? <List {...props} /> : <One {...props} />);
}

export const pages: readonly PageKind[] = [
  { name: "", title: "Overview", Page: OverviewPage },
  { name: "series", title: "Series", Page: listOrOne(SeriesListPage, SeriesPage), needs: "series" },
  { name: "commits", title: "Commits", Page: listOrOne(CommitsPage, CommitPage), needs: "commits" },
  { name: "profiles", title: "Profiles", Page: ProfilesPage, needs: "profiles" },
  { name: "compare", title: "Compare", Page: ComparePage, needs: "commits" },
  { name: "experiments", title: "Experiments", Page: listOrOne(ExperimentsPage, ExperimentPage), needs: "experiments" },
  { name: "environment", title: "Environment", Page: EnvironmentPage },
];

/** The environment of the newest measured commit. */
function EnvironmentPage({ overview }: PageProps): JSX.Element {
  return (
    <>
      <h1>Environment</h1>
      <p class="lead">The environment of the newest measured commit.</p>
      {overview.environment.length === 0 && <p>No environment was recorded.</p>}
      <dl class="facts">
        {overview.environment.flatMap(([name, value], i) => [
          <dt key={`n${i}`}>
            <Text of={name} short={80} />
          </dt>,
          <dd key={`v${i}`}>
            <Text of={value} />
          </dd>,
        ])}
      </dl>
    </>
  );
}

/** All experiments. */
function ExperimentsPage({ overview }: PageProps): JSX.Element {
  return (
    <>
      <h1>Experiments</h1>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Experiments">
        <table>
          <thead>
            <tr>
              <th scope="col">experiment</th>
              <th scope="col">description</th>
              <th scope="col" class="number">
                runs
              </th>
              <th scope="col" class="number">
                rows
              </th>
            </tr>
          </thead>
          <tbody>
            {overview.experiments.map(({ name, synopsis, runs, rows }) => (
              <tr key={name}>
                <td>
                  <a href={href("experiments", name)}>
                    <Text of={name} short={120} />
                  </a>
                </td>
                <td>
                  <Text of={synopsis} short={300} />
                </td>
                <td class="number">{countText(runs)}</td>
                <td class="number">{countText(rows)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** An experiment: description, parameter coverage and plots; in the dashboard also queries and mining. */
function ExperimentPage({ overview, route }: PageProps): JSX.Element {
  const { source, revision } = usePage();
  const line = overview.experiments.find(({ name }) => name === route.of);
  const page = useLoaded(() => source.experiment(route.of), [revision, route.of]);
  return (
    <>
      <h1>
        <Text of={route.of} short={200} />
      </h1>
      {line !== undefined && (
        <p class="lead">
          {line.synopsis !== "" && (
            <>
              <Text of={line.synopsis} short={600} />
              {" · "}
            </>
          )}
          {countText(line.runs)} runs, {countText(line.rows)} rows
        </p>
      )}
      {source.live !== undefined && <QueryBuilder experiment={route.of} live={source.live} />}
      <Loaded of={page} what="the experiment">
        {({ figures }) =>
          figures.map(({ name, figure }, i) => (
            <section key={i} aria-label={name.slice(0, 80)}>
              <h2>
                <Text of={name} short={200} />
              </h2>
              <FigureView figure={figure} title={figure.title !== name} />
            </section>
          ))
        }
      </Loaded>
      {source.live !== undefined && <Mining experiment={route.of} live={source.live} />}
    </>
  );
}

function Mining({ experiment, live }: { experiment: string; live: LiveSource }): JSX.Element {
  const [state, setState] = useState<"idle" | "busy" | { readonly figure: Figure } | { readonly message: string }>(
    "idle",
  );
  const mine = (): void => {
    setState("busy");
    live.mine(experiment).then(
      (figure) => setState({ figure }),
      (error: unknown) => setState({ message: messageOf(error) }),
    );
  };
  return (
    <section aria-labelledby="mining">
      <h2 id="mining">Mining</h2>
      <p class="quiet">Searches all parameters for those that affect a result, and for outlier runs.</p>
      <div class="bar">
        <button type="button" onClick={mine} disabled={state === "busy"}>
          {state === "busy" ? "Mining …" : "Run mining"}
        </button>
      </div>
      <div aria-live="polite">
        {typeof state === "object" &&
          ("figure" in state ? <FigureView figure={state.figure} /> : <Failed message={state.message} />)}
      </div>
    </section>
  );
}
