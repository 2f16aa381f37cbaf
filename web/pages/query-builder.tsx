import type { Figure } from "../../src/core/figures/index.ts";
import type { LiveSource, QueryVariable } from "../../src/core/pages/index.ts";
import { Loaded, Failed, messageOf, useLoaded } from "../parts/answer.tsx";
import { type BuilderQuery, builderQueryText } from "../model/query-builder-model.ts";
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

/** A form and a text field for a query, with its result and the saved queries. */
export function QueryBuilder({ experiment, live }: QueryBuilderProps): JSX.Element {
  const { revision } = usePage();
  const variables = useLoaded(() => live.variables(experiment), [experiment, revision]);
  return (
    <section aria-labelledby="query">
      <h2 id="query">Query</h2>
      <Loaded of={variables} what="variables">
        {(known) => <Builder experiment={experiment} live={live} variables={known} />}
      </Loaded>
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
  const [query, setQuery] = useState<BuilderQuery>({
    experiment,
    results: first === undefined ? [] : [first],
    statistics: ["mean"],
    by: [],
    filters: [],
    shape: "table",
  });
  const [written, setWritten] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome>("none");
  const text = written ?? builderQueryText(query);
  const change = (next: Partial<BuilderQuery>): void => {
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
          Query text
          <textarea
            class="code"
            spellcheck={false}
            value={text}
            onInput={(event) => setWritten(event.currentTarget.value)}
          />
        </label>
        <div class="bar">
          <button class="main" type="submit" disabled={outcome === "busy" || text.trim() === ""}>
            Run
          </button>
          {written !== null && (
            <button type="button" onClick={() => setWritten(null)}>
              Revert to the form
            </button>
          )}
        </div>
      </form>
      <StoredQueries experiment={experiment} live={live} text={text} onText={setWritten} />
      <QueryResult outcome={outcome} />
    </>
  );
}

function QueryResult({ outcome }: { outcome: Outcome }): JSX.Element {
  return (
    <div class="answer" aria-live="polite">
      {outcome === "busy" && <p class="waiting">Running …</p>}
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

/** The saved queries of the experiment, and a form that saves the current one. */
function StoredQueries({ experiment, live, text, onText }: StoredQueriesProps): JSX.Element {
  const { revision } = usePage();
  const [savedCount, setSavedCount] = useState(0);
  const [name, setName] = useState("");
  const [outcome, setOutcome] = useState<{ readonly failed: boolean; readonly text: string } | null>(null);
  const stored = useLoaded(() => live.storedQueries(experiment), [experiment, revision, savedCount]);
  const save = (event: Event): void => {
    event.preventDefault();
    live.storeQuery(experiment, name, text).then(
      () => {
        setOutcome({ failed: false, text: `Saved as ${shown(name)}.` });
        setSavedCount(savedCount + 1);
      },
      (error: unknown) => setOutcome({ failed: true, text: messageOf(error) }),
    );
  };
  return (
    <form class="bar" onSubmit={save}>
      <Loaded of={stored} what="queries">
        {(queries) =>
          queries.length > 0 && (
            <label>
              Saved queries
              <select value="" onChange={(event) => onText(queries[Number(event.currentTarget.value)]?.[1] ?? "")}>
                <option value="">select one</option>
                {queries.map(([each], i) => (
                  <option key={i} value={i}>
                    {shown(each).slice(0, 80)}
                  </option>
                ))}
              </select>
            </label>
          )
        }
      </Loaded>
      <label>
        Save as
        <input
          type="text"
          required
          maxLength={200}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit">Save</button>
      <span role="status">{outcome !== null && !outcome.failed && outcome.text}</span>
      {outcome?.failed === true && <Failed message={outcome.text} />}
    </form>
  );
}
