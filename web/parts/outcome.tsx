import type { JSX } from "preact";
import type { VerdictOutcome } from "../../src/core/verdicts/index.ts";
import { deltaText } from "../model/number-text.ts";

/** Symbols, so that colour is not the only cue. */
const signs: Readonly<Record<VerdictOutcome, string>> = { worse: "✗", better: "✓", same: "=", inconclusive: "?" };

export const outcomeTitles: Readonly<Record<VerdictOutcome, string>> = {
  worse: "worse",
  better: "better",
  same: "same",
  inconclusive: "inconclusive",
};

export function Outcome({ of }: { readonly of: VerdictOutcome }): JSX.Element {
  return (
    <span class={`outcome ${of}`}>
      <span aria-hidden="true">{signs[of]}</span> {outcomeTitles[of]}
    </span>
  );
}

interface DeltaProps {
  readonly of: number | null;
  readonly low?: number | null;
  readonly high?: number | null;
}

/** A relative change with its confidence interval. */
export function Delta({ of, low = null, high = null }: DeltaProps): JSX.Element {
  return (
    <>
      {deltaText(of)}
      {low !== null && high !== null && (
        <span class="interval quiet spare">{` (${deltaText(low)} to ${deltaText(high)})`}</span>
      )}
    </>
  );
}
