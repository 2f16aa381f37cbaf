import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { duckdb } from "../../src/plugins/engines/duckdb.ts";
import type { Engine } from "../../src/plugins/engines/engine.ts";
import { homeOf, type Home } from "../fakes/everything-experiment.ts";
import { openInMemory } from "../fakes/memory-engine.ts";
import type { TestDatabase } from "./databases.ts";

/** Databases with separate object stores, created by the tests of a group and removed after each test. */
export class Homes {
  /** Scratch folder of the current test. */
  folder = "";
  readonly #makeDatabase: () => Promise<TestDatabase>;
  readonly #engines: Engine[] = [];
  readonly #databases: TestDatabase[] = [];

  constructor(makeDatabase: () => Promise<TestDatabase>) {
    this.#makeDatabase = makeDatabase;
    beforeEach(() => {
      this.folder = mkdtempSync(join(tmpdir(), "perfkeep-homes-"));
    });
    afterEach(async () => {
      for (const engine of this.#engines.splice(0)) await engine.close();
      for (const database of this.#databases.splice(0)) await database.remove();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  /** Creates a database on the engine of the group. */
  async make(name: string): Promise<Home> {
    const database = await this.#makeDatabase();
    this.#databases.push(database);
    return this.#home(name, await database.open("write"));
  }

  /** Creates a database in memory, independent of the engine of the group. */
  async makeInMemory(name: string): Promise<Home> {
    return this.#home(name, await openInMemory());
  }

  /** Creates a DuckDB file, independent of the engine of the group. */
  async makeFile(name: string): Promise<Home> {
    return this.#home(name, await duckdb.open(join(this.folder, `${name}.duckdb`), "write"));
  }

  #home(name: string, engine: Engine): Promise<Home> {
    this.#engines.push(engine);
    return homeOf(engine, join(this.folder, name));
  }
}
