import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type TriageState, triageStates } from "../../src/core/verdicts/index.ts";
import { Failed, messageOf } from "./answer.tsx";
import { usePage } from "../context/page-context.ts";
import { Text } from "./text.tsx";

/** `renamed` needs both names and is set with `perfkeep triage`. */
const offered = triageStates.filter((state) => state !== "renamed");

const meanings: Readonly<Record<Exclude<TriageState, "renamed">, string>> = {
  accepted: "accepted: the regression may stay",
  expected: "expected: a regression is planned",
  fixed: "fixed: must not come back",
  "went-away": "went away: recovered without a fix",
};

/** A form that writes the triage state of a series to the tracked triage file. */
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
  const save = (event: Event): void => {
    event.preventDefault();
    source.live?.triage(seriesKey, state, note).then(
      () => setOutcome({ failed: false, text: "Saved to the triage file." }),
      (error: unknown) => setOutcome({ failed: true, text: messageOf(error) }),
    );
  };
  return (
    <>
      <h2>Triage</h2>
      <p class="quiet">{triage === null ? "Not triaged yet." : <>State: {<Text of={triage} />}</>}</p>
      <form class="bar" onSubmit={save}>
        <label>
          State
          <select value={state} onChange={(event) => setState(event.currentTarget.value)}>
            {offered.map((each) => (
              <option key={each} value={each}>
                {meanings[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          Note
          <input type="text" maxLength={500} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
        </label>
        <button type="submit">Save</button>
      </form>
      <div role="status">{outcome !== null && !outcome.failed && outcome.text}</div>
      {outcome?.failed === true && <Failed message={outcome.text} />}
    </>
  );
}
