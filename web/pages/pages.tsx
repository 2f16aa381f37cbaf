import type { Figure } from "../../src/core/figures/figure.ts";
import type { Overview } from "../../src/core/pages/overview.ts";
import type { LiveSource } from "../../src/core/pages/source.ts";
import { Answered, Failed, messageOf, useAnswer } from "../parts/answer.tsx";
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

/** A page of the app; its name is the first part of its address. */
export interface PageKind {
  readonly name: string;
  readonly title: string;
  readonly Page: FunctionComponent<PageProps>;
  /** It has nothing to show where there is none of these. */
  readonly needs?: keyof Overview["totals"];
}

/** One page for the list and, where the address names one, for what is in it. */
function listOrOne(
  List: FunctionComponent<PageProps>,
  One: FunctionComponent<PageProps>,
): FunctionComponent<PageProps> {
  return (props) => (props.route.of === "" ? <List {...props} /> : <One {...props} />);
}

export const pages: readonly PageKind[] = [
  { name: "", title: "Overview", Page: OverviewPage },
  { name: "series", title: "Series", Page: listOrOne(SeriesListPage, SeriesPage), needs: "series" },
  { name: "commits", title: "Commits", Page: listOrOne(CommitsPage, CommitPage), needs: "versions" },
  { name: "profiles", title: "Profiles", Page: ProfilesPage, needs: "profiles" },
  { name: "compare", title: "Compare", Page: ComparePage, needs: "profiles" },
  { name: "experiments", title: "Experiments", Page: listOrOne(ExperimentsPage, ExperimentPage), needs: "experiments" },
  { name: "environment", title: "Environment", Page: EnvironmentPage },
];

/** What the newest measured version was measured on. */
function EnvironmentPage({ overview }: PageProps): JSX.Element {
  return (
    <>
      <h1>Environment</h1>
      <p class="lead">What the newest measured version was measured on.</p>
      {overview.environment.length === 0 && <p>Nothing is known about it.</p>}
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
              <th scope="col">what it is</th>
              <th scope="col" class="number">
                runs
              </th>
              <th scope="col" class="number">
                data sets
              </th>
            </tr>
          </thead>
          <tbody>
            {overview.experiments.map(({ name, synopsis, runs, dataSets }) => (
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
                <td class="number">{countText(dataSets)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/**
 * An experiment: what it is, how its parameters are covered, its plots; in the dashboard queries and what mining finds.
 */
function ExperimentPage({ overview, route }: PageProps): JSX.Element {
  const { source, moment } = usePage();
  const line = overview.experiments.find(({ name }) => name === route.of);
  const page = useAnswer(() => source.experiment(route.of), [moment, route.of]);
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
          {countText(line.runs)} runs, {countText(line.dataSets)} data sets
        </p>
      )}
      {source.live !== undefined && <QueryBuilder experiment={route.of} live={source.live} />}
      <Answered of={page} what="the experiment">
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
      </Answered>
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
      <h2 id="mining">What stands out</h2>
      <p class="quiet">Looks through all parameters for those that move a result, and for runs that stand apart.</p>
      <div class="bar">
        <button type="button" onClick={mine} disabled={state === "busy"}>
          {state === "busy" ? "Looking …" : "Look through it"}
        </button>
      </div>
      <div aria-live="polite">
        {typeof state === "object" &&
          ("figure" in state ? <FigureView figure={state.figure} /> : <Failed message={state.message} />)}
      </div>
    </section>
  );
}
