import { Failure } from "../../core/errors.ts";
import { triageStates } from "../../core/triage.ts";
import { addTriage } from "../triage.ts";
import type { LivePages } from "./live-pages.ts";

/** Writes a decision about a series for the change that the page shows of it; where it shows none, for the head. Fails like `addTriage`. */
export async function decide(pages: LivePages, key: string, state: string, note: string): Promise<void> {
  const chosen = triageStates.find((known) => known === state && known !== "renamed");
  if (chosen === undefined) throw new Failure("unknown-choice", { kind: "state", value: state, choices: triageStates });
  const { verdicts } = await pages.data();
  const since = verdicts.find(({ verdict }) => verdict.subject.key === key)?.verdict.since;
  await addTriage(pages.workspace(), { key, state: chosen, at: since?.after ?? "HEAD", note });
}
