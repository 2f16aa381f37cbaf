import type { Figure } from "../../src/core/figures/figure.ts";
import type { LiveSource, QueryVariable } from "../../src/core/pages/source.ts";
import { Answered, Failed, messageOf, useAnswer } from "../parts/answer.tsx";
import { type ClickedQuery, clickedQueryText } from "../model/query-builder-model.ts";
import { usePage } from "../context/page-context.ts";
import { shown } from "../parts/text.tsx";
import { FigureView } from "../charts/figure.tsx";
import { QueryChoices } from "./query-choices.tsx";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

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

interface StoredQueriesProps {
  readonly experiment: string;
  readonly live: LiveSource;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The queries that the experiment keeps, and a way to keep this one. */
function StoredQueries({ experiment, live, text, onText }: StoredQueriesProps): JSX.Element {
  const { moment } = usePage();
  const [kept, setKept] = useState(0);
  const [name, setName] = useState("");
  const [outcome, setOutcome] = useState<{ readonly failed: boolean; readonly text: string } | null>(null);
  const stored = useAnswer(() => live.storedQueries(experiment), [experiment, moment, kept]);
  const keep = (event: Event): void => {
    event.preventDefault();
    live.storeQuery(experiment, name, text).then(
      () => {
        setOutcome({ failed: false, text: `Kept as ${shown(name)}.` });
        setKept(kept + 1);
      },
      (error: unknown) => setOutcome({ failed: true, text: messageOf(error) }),
    );
  };
  return (
    <form class="bar" onSubmit={keep}>
      <Answered of={stored} what="queries">
        {(queries) =>
          queries.length > 0 && (
            <label>
              Kept queries
              <select value="" onChange={(event) => onText(queries[Number(event.currentTarget.value)]?.[1] ?? "")}>
                <option value="">choose one</option>
                {queries.map(([each], i) => (
                  <option key={i} value={i}>
                    {shown(each).slice(0, 80)}
                  </option>
                ))}
              </select>
            </label>
          )
        }
      </Answered>
      <label>
        Keep it as
        <input
          type="text"
          required
          maxLength={200}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Keep</button>
      <span role="status">{outcome !== null && !outcome.failed && outcome.text}</span>
      {outcome?.failed === true && <Failed message={outcome.text} />}
    </form>
  );
}
