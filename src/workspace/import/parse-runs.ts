import { type ParsedRun, mergeDeclarations } from "../../core/experiments/index.ts";
import { concatTables, tableOf, type Table } from "../../core/tables/index.ts";
import type { Settings, Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { optionsOf } from "../plugins/index.ts";
import type { ByteSource, Importer, ImportEvent } from "../../plugins/importers/importer.ts";

/** Parses runs with the importer of a self-describing format. Fails with the failures of the importer. */
export async function parseRuns(
  importer: Importer,
  source: ByteSource,
  path: string,
  given: Settings = new Map(),
): Promise<ParsedRun[]> {
  const runs: ParsedRun[] = [];
  let run = new OpenRun();
  for await (const event of importer.read(source, optionsOf(importer, given), {
    experiment: { name: "", readers: [], writers: [], variables: [] },
    path,
  })) {
    run.add(event);
    if (event.kind !== "end") continue;
    runs.push(run.finish());
    run = new OpenRun();
  }
  return runs;
}

class OpenRun {
  readonly #declared: Variable[][] = [];
  readonly #once = new Map<string, Value>();
  readonly #rows: Table[] = [];

  add(event: ImportEvent): void {
    if (event.kind === "declare") this.#declared.push([...event.variables]);
    else if (event.kind === "rows") this.#rows.push(event.table);
    else if (event.kind === "once") for (const [name, value] of event.values) this.#once.set(name, value);
  }

  finish(): ParsedRun {
    const variables = mergeDeclarations(this.#declared).filter(({ name }) => this.#once.has(name));
    const once = tableOf(variables, [variables.map(({ name }) => this.#once.get(name) ?? null)]);
    return { once, rows: this.#rows.length > 0 ? concatTables(this.#rows) : null };
  }
}
