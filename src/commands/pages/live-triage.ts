import { Failure } from "../../core/errors.ts";
import { triageStates } from "../../core/triage.ts";
import { addTriage } from "../triage.ts";
import type { VersionId } from "../../core/digest.ts";
import type { PageData } from "./page-data.ts";
import type { LivePages } from "./live-pages.ts";

/** Writes a decision about a series for the change that the page shows of it; where it shows none, for the head. Fails like `addTriage`. */
export async function decide(pages: LivePages, key: string, state: string, note: string): Promise<void> {
  const chosen = triageStates.find((known) => known === state && known !== "renamed");
  if (chosen === undefined) throw new Failure("unknown-choice", { kind: "state", value: state, choices: triageStates });
  const { value: data } = await pages.data();
  await addTriage(pages.workspace(), { key, state: chosen, at: changedAt(data, key) ?? "HEAD", note });
}

function changedAt({ series, changes, versions }: PageData, key: string): VersionId | undefined {
  const text = series.facts.texts.indexOf(key);
  const place = text < 0 ? -1 : series.arrays.key.indexOf(text);
  const change = place < 0 ? -1 : changes.arrays.series.indexOf(place);
  return versions.facts.ids[changes.arrays.after[change] ?? -1];
}
