import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Figure } from "../../src/core/figure.ts";
import type { LiveSource } from "../../src/core/pages/source.ts";
import { Answered, Failed, messageOf, useAnswer } from "../answer.tsx";
import { countText } from "../numbers.ts";
import { usePage } from "../page-context.ts";
import type { PageProps } from "../page-props.ts";
import { FigureView } from "../parts/figure.tsx";
import { QueryBuilder } from "../parts/query-builder.tsx";
import { Text } from "../text.tsx";

/** An experiment: what it is, how its parameters are covered, its plots; in the dashboard queries and what mining finds. */
export function ExperimentPage({ overview, route }: PageProps): JSX.Element {
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
