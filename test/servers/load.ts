import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PostgresServer } from "./postgres-server.ts";

/* Many programs that import into one shared database, concurrently with many that query it. */

export interface LoadOptions {
  readonly server: PostgresServer;
  /** The built program. */
  readonly program: string;
  /** Number of concurrent programs of each kind. */
  readonly importers: number;
  readonly readers: number;
  /**
   * Imports of each importer, and questions of each reader; each second import is of a file that all import in that
   * round, so that one stores it.
   */
  readonly rounds: number;
  /** Rows of each file. */
  readonly rows: number;
  /** Addresses of databases that the experiment is sharded over first. */
  readonly over?: readonly string[];
}

export interface LoadReport {
  /** The final and the expected counts of the database. */
  readonly stored: Stored;
  readonly expected: Stored;
  /**
   * Wall times in milliseconds of programs that imported, that got `already-imported`, and that queried.
   */
  readonly imports: readonly number[];
  readonly refused: readonly number[];
  readonly queries: readonly number[];
  /** The last line of the output of each failed program. */
  readonly errors: readonly string[];
  /** The maximum number of concurrent connections of perfkeep. */
  readonly connections: number;
  readonly seconds: number;
}

export interface Stored {
  readonly runs: number;
  readonly files: number;
  readonly claims: number;
  readonly rows: number;
  readonly sum: number;
}

const description =
  "*experiment load\nMany at once\n*parameter importer int - once\n*parameter size int\n*result rate float\n";
const input = [
  'NAMED importer alias="importer" ws=":"',
  'TABLE size row="size rate" pos=1',
  'TABLE rate row="size rate" pos=2',
  "",
].join("\n");

/** Numbers whose sum is exact in any order. */
function output(importer: number, round: number, rows: number): string {
  const lines = Array.from({ length: rows }, (_, size) => `${size} ${(importer * 1000 + round) / 8 + size}`);
  return [`importer: ${importer}`, "size rate", ...lines, "", "end", ""].join("\n");
}

function sumOf(importer: number, round: number, rows: number): number {
  return (rows * (importer * 1000 + round)) / 8 + (rows * (rows - 1)) / 2;
}

interface Ended {
  readonly milliseconds: number;
  readonly status: number | null;
  readonly stderr: string;
}

class Load {
  readonly #options: LoadOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), "perfkeep-load-"));
  readonly #url: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly imports: number[] = [];
  readonly refused: number[] = [];
  readonly queries: number[] = [];
  readonly errors: string[] = [];

  constructor(options: LoadOptions, url: string) {
    this.#options = options;
    this.#url = url;
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(GIT_|PERFKEEP_|PERUN_|PB_|PG|XDG_)/.test(name),
    );
    const ownEnvironment = {
      HOME: this.#folder,
      PERFKEEP_HOME: this.#folder,
      PERFKEEP_DB: this.#url,
      GIT_CEILING_DIRECTORIES: this.#folder,
    };
    this.#environment = { ...Object.fromEntries(inherited), ...ownEnvironment, PGPASSWORD: options.server.password };
    this.#write("load.exp", description);
    this.#write("load.inp", input);
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text);
  }

  run(...words: readonly string[]): Promise<Ended> {
    const began = process.hrtime.bigint();
    const child = spawn(process.execPath, [this.#options.program, ...words], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (text) => (stderr += String(text)));
    return new Promise((resolve) => {
      child.on("close", (status) =>
        resolve({ milliseconds: Number(process.hrtime.bigint() - began) / 1e6, status, stderr }),
      );
    });
  }

  async import(importer: number): Promise<void> {
    const { rounds, rows } = this.#options;
    for (let round = 0; round < rounds; round++) {
      const isShared = round % 2 === 1;
      const name = isShared ? `shared-${round}.out` : `${importer}-${round}.out`;
      if (!isShared) this.#write(name, output(importer, round, rows));
      const ended = await this.run("import", "-q", "-e", "load", "-d", "load.inp", name);
      if (ended.status === 0) this.imports.push(ended.milliseconds);
      else if (isShared && ended.stderr.includes("[already-imported]")) this.refused.push(ended.milliseconds);
      else this.#fail(ended);
    }
  }

  /** Prepares the initial data, and the files that all programs import. */
  writeShared(): void {
    this.#write("first.out", output(0, 0, this.#options.rows));
    for (let round = 1; round < this.#options.rounds; round += 2)
      this.#write(`shared-${round}.out`, output(0, round, this.#options.rows));
  }

  async read(): Promise<void> {
    for (let round = 0; round < this.#options.rounds; round++) {
      const ended = await this.run("query", "load", "rate", "--by", "importer", "--stat", "mean,count");
      if (ended.status === 0) this.queries.push(ended.milliseconds);
      else this.#fail(ended);
    }
  }

  #fail({ status, stderr }: Ended): void {
    this.errors.push(`${status}: ${stderr.trimEnd().split("\n").at(-1)}`);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Runs the load test once and counts the stored data on the server. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { server, importers, readers, over = [] } = options;
  const url = await server.makeDatabase();
  const load = new Load(options, url);
  try {
    await expectFine(load.run("experiment", "create", "load.exp"));
    load.writeShared();
    await expectFine(load.run("import", "-q", "-e", "load", "-d", "load.inp", "first.out"));
    if (over.length > 0) await expectFine(load.run("experiment", "distribute", "load", "--over", over.join(",")));
    const began = process.hrtime.bigint();
    let isOver = false;
    const watching = mostConnections(server, () => isOver);
    const importing = Array.from({ length: importers }, (_, importer) => load.import(importer + 1));
    await Promise.all([...importing, ...Array.from({ length: readers }, () => load.read())]).finally(
      () => (isOver = true),
    );
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    await expectFine(load.run("experiment", "check", "load"));
    const { imports, refused, queries, errors } = load;
    const connections = await watching;
    return {
      stored: await storedIn(server, url),
      expected: expectedOf(options),
      imports,
      refused,
      queries,
      errors,
      connections,
      seconds,
    };
  } finally {
    load.remove();
  }
}

async function expectFine(running: Promise<Ended>): Promise<void> {
  const { status, stderr } = await running;
  if (status !== 0) throw new Error(`the load cannot be prepared: ${stderr}`);
}

async function mostConnections(server: PostgresServer, isOver: () => boolean): Promise<number> {
  let most = 0;
  while (!isOver()) {
    try {
      const [row] = await server.run(
        "postgres",
        "select count(*)::int as n from pg_stat_activity where application_name = 'perfkeep'",
      );
      most = Math.max(most, Number(row?.["n"]));
    } catch {
      // There is no connection left for monitoring.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return most;
}

async function storedIn(server: PostgresServer, url: string): Promise<Stored> {
  const [row] = await server.run(
    url.split("/").at(-1) as string,
    `select (select count(*)::int from perfkeep.run) as runs,
      (select count(distinct sha256)::int from perfkeep.source) as files,
       (select count(*)::int from perfkeep.claim) as claims, (select count(*)::int from perfkeep.data_1) as rows,
       (select sum(p_3) from perfkeep.data_1) as sum`,
  );
  return row as unknown as Stored;
}

function expectedOf({ importers, rounds, rows }: LoadOptions): Stored {
  let [runs, sum] = [1, sumOf(0, 0, rows)];
  for (let round = 0; round < rounds; round++)
    for (const importer of round % 2 === 1 ? [0] : Array.from({ length: importers }, (_, at) => at + 1)) {
      runs += 1;
      sum += sumOf(importer, round, rows);
    }
  return { runs, files: runs, claims: runs, rows: runs * rows, sum };
}
