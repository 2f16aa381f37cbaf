import type { FoundRun } from "../core/found-run.ts";
import { joinedDeclarations } from "../core/reported-experiment.ts";
import { concatTables, tableOf } from "../core/table-builder.ts";
import type { Table } from "../core/table.ts";
import type { Settings } from "../core/setting.ts";
import type { Value } from "../core/value.ts";
import type { Variable } from "../core/variable.ts";
import { optionsOf } from "./plugin-options.ts";
import type { ByteSource, Importer, ImportEvent } from "../plugins/importers/importer.ts";

/** The runs that an importer finds which knows its format by itself. Fails with what it refuses. */
export async function runsFound(
  importer: Importer,
  source: ByteSource,
  path: string,
  given: Settings = new Map(),
): Promise<FoundRun[]> {
  const runs: FoundRun[] = [];
  let run = new OpenRun();
  for await (const event of importer.read(source, optionsOf(importer, given), {
    experiment: { name: "", readers: [], writers: [], variables: [] },
    path,
  })) {
    run.take(event);
    if (event.kind !== "end") continue;
    runs.push(run.found());
    run = new OpenRun();
  }
  return runs;
}

class OpenRun {
  readonly #declared: Variable[][] = [];
  readonly #once = new Map<string, Value>();
  readonly #rows: Table[] = [];

  take(event: ImportEvent): void {
    if (event.kind === "declare") this.#declared.push([...event.variables]);
    else if (event.kind === "rows") this.#rows.push(event.table);
    else if (event.kind === "once") for (const [name, value] of event.values) this.#once.set(name, value);
  }

  found(): FoundRun {
    const variables = joinedDeclarations(this.#declared).filter(({ name }) => this.#once.has(name));
    const once = tableOf(variables, [variables.map(({ name }) => this.#once.get(name) ?? null)]);
    return { once, rows: this.#rows.length > 0 ? concatTables(this.#rows) : null };
  }
}
