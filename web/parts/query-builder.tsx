import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Figure } from "../../src/core/figure.ts";
import type { LiveSource, QueryVariable } from "../../src/core/pages/source.ts";
import { Answered, Failed, messageOf, useAnswer } from "../answer.tsx";
import { type ClickedQuery, clickedQueryText } from "../clicked-query.ts";
import { usePage } from "../page-context.ts";
import { FigureView } from "./figure.tsx";
import { QueryChoices } from "./query-choices.tsx";
import { StoredQueries } from "./stored-queries.tsx";

interface QueryBuilderProps {
  readonly experiment: string;
  readonly live: LiveSource;
}

/** A query is put together by clicking or written; it is answered, and kept under a name. */
export function QueryBuilder({ experiment, live }: QueryBuilderProps): JSX.Element {
  const { moment } = usePage();
  const variables = useAnswer(() => live.variables(experiment), [experiment, moment]);
  return (
    <section aria-labelledby="ask">
      <h2 id="ask">Ask</h2>
      <Answered of={variables} what="variables">
        {(known) => <Builder experiment={experiment} live={live} variables={known} />}
      </Answered>
    </section>
  );
}

type Outcome = "none" | "busy" | { readonly figure: Figure } | { readonly message: string };

function Builder({
  experiment,
  live,
  variables,
}: QueryBuilderProps & { readonly variables: readonly QueryVariable[] }): JSX.Element {
  const first = variables.find(({ role }) => role === "result")?.name;
  const [query, setQuery] = useState<ClickedQuery>({
    experiment,
    results: first === undefined ? [] : [first],
    statistics: ["mean"],
    by: [],
    filters: [],
    shape: "table",
  });
  const [written, setWritten] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome>("none");
  const text = written ?? clickedQueryText(query);
  const change = (next: Partial<ClickedQuery>): void => {
    setQuery({ ...query, ...next });
    setWritten(null);
  };
  const run = (event?: Event): void => {
    event?.preventDefault();
    setOutcome("busy");
    live.query(experiment, text).then(
      (figure) => setOutcome({ figure }),
      (error: unknown) => setOutcome({ message: messageOf(error) }),
    );
  };
  return (
    <>
      <form onSubmit={run}>
        <QueryChoices variables={variables} query={query} onChange={change} />
        <label class="wide">
          The query as text
          <textarea
            class="code"
            spellcheck={false}
            value={text}
            onInput={(event) => setWritten(event.currentTarget.value)}
          />
        </label>
        <div class="bar">
          <button class="main" type="submit" disabled={outcome === "busy" || text.trim() === ""}>
            Answer it
          </button>
          {written !== null && (
            <button type="button" onClick={() => setWritten(null)}>
              Back to what was clicked
            </button>
          )}
        </div>
      </form>
      <StoredQueries experiment={experiment} live={live} text={text} onText={setWritten} />
      <AnswerOf outcome={outcome} />
    </>
  );
}

function AnswerOf({ outcome }: { outcome: Outcome }): JSX.Element {
  return (
    <div class="answer" aria-live="polite">
      {outcome === "busy" && <p class="waiting">Asking …</p>}
      {typeof outcome === "object" && "figure" in outcome && <FigureView figure={outcome.figure} />}
      {typeof outcome === "object" && "message" in outcome && <Failed message={outcome.message} />}
    </div>
  );
}
