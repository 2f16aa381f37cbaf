import { resultOfShare, type Change } from "../../../core/verdicts/index.ts";
import { roundToEven } from "../../../math/numerics/index.ts";
import type { ModelPair } from "./model-choice.ts";

/** A relative change between two models; Perun rounds it to two digits. */
export function shareChange(
  { baseline, target }: ModelPair,
  share: number,
  { method, rSquared, isPerun }: { readonly method: string; readonly rSquared: number; readonly isPerun: boolean },
): Change {
  return {
    location: baseline.uid,
    result: resultOfShare(share),
    type: "-",
    from: baseline.name,
    to: target.name,
    rate: isPerun ? roundToEven(share, 2) : share,
    relativeRate: 0,
    confidence: { type: "r_square", rate: rSquared },
    method,
  };
}
