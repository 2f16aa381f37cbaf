import type { JSX } from "preact";
import type { VerdictOutcome } from "../../src/core/verdicts/verdict.ts";
import { deltaText } from "../model/number-text.ts";

/** Signs, so that nobody needs the colours. */
const signs: Readonly<Record<VerdictOutcome, string>> = { worse: "✗", better: "✓", same: "=", inconclusive: "?" };

export const wordTitles: Readonly<Record<VerdictOutcome, string>> = {
  worse: "worse",
  better: "better",
  same: "the same",
  inconclusive: "uncertain",
};

export function Word({ of }: { readonly of: VerdictOutcome }): JSX.Element {
  return (
    <span class={`word ${of}`}>
      <span aria-hidden="true">{signs[of]}</span> {wordTitles[of]}
    </span>
  );
}

interface DeltaProps {
  readonly of: number | null;
  readonly low?: number | null;
  readonly high?: number | null;
}

/** A change with the ends of its interval. */
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
