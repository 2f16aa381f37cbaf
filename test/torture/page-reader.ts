import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Value } from "../../src/core/values/index.ts";
import { rowsOf, type Table } from "../../src/core/tables/index.ts";
import { headerDamage } from "../../src/plugins/engines/duckdb-blocks.ts";
import { duckdb } from "../../src/plugins/engines/duckdb.ts";
import type { Engine } from "../../src/plugins/engines/engine.ts";

/** A statement that only reads. */
export interface Question {
  readonly sql: string;
  readonly params: readonly Value[];
}

/** The statements of a command, by the connection that ran them. */
let recorded = new Map<object, Question[]>();

/** Records all statements of this process, from now on. */
export async function recordStatements(folder: string): Promise<void> {
  const engine = await openResident(folder);
  const prototype = Object.getPrototypeOf(engine) as Engine;
  await engine.close();
  const { query, execute } = prototype;
  const note = (connection: object, sql: string, params: readonly Value[]): void => {
    const statements = recorded.get(connection) ?? [];
    statements.push({ sql, params });
    recorded.set(connection, statements);
  };
  prototype.query = function (this: Engine, sql, params = []) {
    note(this, sql, params);
    return query.call(this, sql, params);
  };
  prototype.execute = function (this: Engine, sql, params = []) {
    note(this, sql, params);
    return execute.call(this, sql, params);
  };
}

/** What a command asks the databases that it does not write. */
export async function questionsOf(command: () => Promise<unknown>): Promise<Question[]> {
  recorded = new Map();
  await command();
  const isReading = ({ sql }: Question): boolean => /^\s*select\b/i.test(sql);
  const isWriting = ({ sql }: Question): boolean => /^\s*(?:create|insert|update|alter|drop|delete)\b/i.test(sql);
  const found = [...recorded.values()].filter((statements) => !statements.some(isWriting));
  recorded = new Map();
  const unique = new Map(found.flat().map((each) => [JSON.stringify(each), each]));
  return [...unique.values()].filter(isReading);
}

/** Answers of a database: a digest or an error for each question; a string if it cannot be opened. */
export type Answers = readonly string[] | string;

/** Reads many databases in turn, attached to one instance of DuckDB. */
export class PageReader {
  #engine: Engine | undefined;
  #count = 0;
  readonly #folder: string;

  /** `folder`: a new one, where the instance has a database of its own. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(path: string, questions: readonly Question[]): Promise<Answers> {
    const header = headerDamage(path);
    if (header !== null) return header;
    const engine = (this.#engine ??= await openResident(this.#folder));
    const name = `d${this.#count++}`;
    try {
      await engine.execute(`attach '${path}' as ${name} (read_only)`);
      await engine.execute(`use ${name}`);
    } catch (error) {
      await this.#renew();
      return reasonOf(error);
    }
    const answers: string[] = [];
    let isInvalid = false;
    for (const { sql, params } of questions) {
      try {
        answers.push(digestOf(await engine.query(sql, params)));
      } catch (error) {
        answers.push(`error: ${reasonOf(error)}`);
        isInvalid ||= /INTERNAL|FATAL|invalidated/.test(reasonOf(error));
        if (isInvalid) break;
      }
    }
    if (isInvalid || !(await this.#detach(engine, name))) await this.#renew();
    return answers;
  }

  async #detach(engine: Engine, name: string): Promise<boolean> {
    try {
      await engine.execute("use resident");
      await engine.execute(`detach ${name}`);
      return true;
    } catch {
      return false;
    }
  }

  /** An instance that has reported an internal error answers nothing any more. */
  async #renew(): Promise<void> {
    const engine = this.#engine;
    this.#engine = undefined;
    await engine?.close().catch(() => {});
  }
}

/** An empty database, which DuckDB calls by the name of its file. */
function openResident(folder: string): Promise<Engine> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return duckdb.open(join(folder, "resident.duckdb"), "write");
}

function digestOf(table: Table): string {
  const text = JSON.stringify(rowsOf(table), (_key, value: unknown) =>
    typeof value === "bigint" || Object.is(value, -0) ? `${String(value)}n` : value,
  );
  return createHash("sha1").update(text).digest("base64");
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
