import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Figure } from "../../src/core/figures/index.ts";
import type { ExperimentPage as ExperimentPageData, LiveSource, NamedFigure } from "../../src/core/pages/index.ts";
import { compareNaturally, counted } from "../../src/core/text/index.ts";
import { FigureView } from "../charts/figure.tsx";
import { usePage } from "../context/page-context.ts";
import { href } from "../context/route.ts";
import { countText } from "../model/number-text.ts";
import { Failed, Loaded, messageOf, useLoaded } from "../parts/answer.tsx";
import { Text } from "../parts/text.tsx";
import type { PageProps } from "./page-props.ts";
import { QueryBuilder } from "./query-builder.tsx";

/** All experiments. */
export function ExperimentsPage({ overview }: PageProps): JSX.Element {
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
            {overview.experiments.toSorted(byName).map(({ name, synopsis, runs, rows }) => (
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

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => compareNaturally(a.name, b.name);

/** What is known of an experiment: charts first, then parameter sets, gaps and variables. */
export function ExperimentFigures({ figures }: Pick<ExperimentPageData, "figures">): JSX.Element {
  const isPicture = ({ figure }: NamedFigure): boolean => figure.blocks.some(({ kind }) => kind === "chart");
  const sorted = figures.toSorted((a, b) => Number(isPicture(b)) - Number(isPicture(a)));
  return (
    <>
      {sorted.map(({ name, figure }) => (
        <section key={name} aria-label={name.slice(0, 80)}>
          <h2>
            <Text of={name} short={200} />
          </h2>
          <FigureView figure={figure} title={figure.title !== name} />
        </section>
      ))}
    </>
  );
}

/** An experiment: description, parameter coverage and plots; in the dashboard also queries and mining. */
export function ExperimentPage({ overview, route }: PageProps): JSX.Element {
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
          {counted(line.runs, "run")}, {counted(line.rows, "row")}
        </p>
      )}
      {source.live !== undefined && <QueryBuilder experiment={route.of} live={source.live} />}
      <Loaded of={page} what="the experiment">
        {({ figures }) => <ExperimentFigures figures={figures} />}
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
