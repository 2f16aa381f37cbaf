import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { duckdb } from "../../src/plugins/engines/duckdb.ts";
import type { Engine } from "../../src/plugins/engines/engine.ts";
import { homeOf, type Home } from "../fakes/everything-experiment.ts";
import type { TestDatabase } from "./databases.ts";

/** Databases with objects of their own, made by each test of a group as it needs them and removed after it. */
export class Homes {
  /** Of the test that runs. */
  folder = "";
  readonly #makePlace: () => Promise<TestDatabase>;
  readonly #engines: Engine[] = [];
  readonly #places: TestDatabase[] = [];

  constructor(makePlace: () => Promise<TestDatabase>) {
    this.#makePlace = makePlace;
    beforeEach(() => {
      this.folder = mkdtempSync(join(tmpdir(), "perfkeep-homes-"));
    });
    afterEach(async () => {
      for (const engine of this.#engines.splice(0)) await engine.close();
      for (const place of this.#places.splice(0)) await place.remove();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  /** On the engine of the group. */
  async make(name: string): Promise<Home> {
    const place = await this.#makePlace();
    this.#places.push(place);
    return this.#home(name, await place.open("write"));
  }

  /** In a file of DuckDB, whatever the engine of the group is. */
  async makeFile(name: string): Promise<Home> {
    return this.#home(name, await duckdb.open(join(this.folder, `${name}.duckdb`), "write"));
  }

  #home(name: string, engine: Engine): Promise<Home> {
    this.#engines.push(engine);
    return homeOf(engine, join(this.folder, name));
  }
}
