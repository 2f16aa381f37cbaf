import type { Value } from "../../core/values/value.ts";
import type { ImportedInput, ImportedRunFacts } from "../../formats/store/experiments/ledger-import.ts";
import { number, text, time, type Columns } from "../schema/result-rows.ts";

export const runColumns: Columns = [
  number("experiment"),
  number("number"),
  text("version"),
  ["dirty", "boolean"],
  time("created"),
  time("performed"),
  ...["performer", "label", "synopsis", "description"].map(text),
  number("data_sets"),
  ["active", "boolean"],
];

export function runRow(
  experiment: number,
  run: number,
  facts: Omit<ImportedRunFacts, "number">,
  dataSets: number,
): Value[] {
  const told = [facts.performer, facts.label, facts.synopsis, facts.description].map((each) => each ?? null);
  return [
    experiment,
    run,
    facts.version ?? null,
    facts.dirty ?? null,
    facts.created,
    facts.performed,
    ...told,
    dataSets,
    true,
  ];
}

export const sourceColumns: Columns = [
  number("experiment"),
  number("run"),
  number("ordinal"),
  ...["path", "sha256", "object"].map(text),
  number("bytes"),
  time("modified"),
  text("description"),
];

/** `ordinal`: the place among the inputs of the run, from 0. */
export function sourceRow(
  experiment: number,
  run: number,
  ordinal: number,
  source: Omit<ImportedInput, "runs">,
): Value[] {
  return [
    experiment,
    run,
    ordinal,
    source.path,
    source.sha256,
    source.object,
    source.bytes,
    source.modified ?? null,
    source.description ?? null,
  ];
}
