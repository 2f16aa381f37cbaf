import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type TriageState, triageStates } from "../../src/core/verdicts/triage.ts";
import { Failed, messageOf } from "./answer.tsx";
import { usePage } from "../context/page-context.ts";
import { Text } from "./text.tsx";

/** A new name is given with `perfkeep triage`, which knows both. */
const offered = triageStates.filter((state) => state !== "renamed");

const meanings: Readonly<Record<Exclude<TriageState, "renamed">, string>> = {
  accepted: "accepted: it is worse and may stay so",
  expected: "expected: it is known that it will get worse",
  fixed: "fixed: it was repaired and shall not come back",
  "went-away": "went away: it was well again by itself",
};

/** What is decided about a series; it is written into the tracked file of decisions. */
export function TriageForm({
  seriesKey,
  triage,
}: {
  readonly seriesKey: string;
  readonly triage: string | null;
}): JSX.Element {
  const { source } = usePage();
  const [state, setState] = useState<string>(offered[0] ?? "accepted");
  const [note, setNote] = useState("");
  const [outcome, setOutcome] = useState<{ readonly failed: boolean; readonly text: string } | null>(null);
  const decide = (event: Event): void => {
    event.preventDefault();
    source.live?.triage(seriesKey, state, note).then(
      () => setOutcome({ failed: false, text: "Written to the file of decisions." }),
      (error: unknown) => setOutcome({ failed: true, text: messageOf(error) }),
    );
  };
  return (
    <>
      <h2>Decide about it</h2>
      <p class="quiet">{triage === null ? "Nobody decided anything yet." : <>Decided: {<Text of={triage} />}</>}</p>
      <form class="bar" onSubmit={decide}>
        <label>
          Decision
          <select value={state} onChange={(event) => setState(event.currentTarget.value)}>
            {offered.map((each) => (
              <option key={each} value={each}>
                {meanings[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Why
          <input type="text" maxLength={500} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
        </label>
        <button type="submit">Decide</button>
      </form>
      <div role="status">{outcome !== null && !outcome.failed && outcome.text}</div>
      {outcome?.failed === true && <Failed message={outcome.text} />}
    </>
  );
}
