import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { LiveSource } from "../../src/core/pages/source.ts";
import { Answered, Failed, messageOf, useAnswer } from "../answer.tsx";
import { usePage } from "../page-context.ts";
import { shown } from "../text.tsx";

interface StoredQueriesProps {
  readonly experiment: string;
  readonly live: LiveSource;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The queries that the experiment keeps, and a way to keep this one. */
export function StoredQueries({ experiment, live, text, onText }: StoredQueriesProps): JSX.Element {
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
