import { existsSync, readFileSync, statSync } from "node:fs";
import { Failure } from "../../core/failures/index.ts";
import type { Table } from "../../core/tables/index.ts";
import type { Value } from "../../core/values/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import type { Address } from "./postgres-address.ts";
import { Client, type Bound, type ResultColumn } from "./postgres-client.ts";
import { binaryRows, type Target, readerFor, type Reader } from "./postgres-columns.ts";
import { failureOf } from "./postgres-failure.ts";
import type { ServiceFiles } from "./postgres-login-files.ts";
import { openSocket, type Endpoint } from "./postgres-socket.ts";
import { typeNumber } from "./postgres-types.ts";
import { StatementQueue } from "./statement-queue.ts";

/** What a connection is for: "read" never writes. */
export type Mode = "read" | "write";

/**
 * Schema of all perfkeep tables. PostgreSQL searches pg_catalog first implicitly, and creates objects in the first
 * schema of search_path.
 */
export const schema = "perfkeep";

/**
 * One connection, made by the first statement. Its methods behave like those of `Engine`; their failures name the
 * server.
 */
export class Connection {
  readonly #address: Address;
  readonly #client: Client;
  readonly #statements = new StatementQueue((error) => failureOf(error, this.#address, this.#connected));
  #connected = false;

  constructor(address: Address, password: string, mode: Mode) {
    this.#address = address;
    const open = async (): ReturnType<typeof openSocket> => {
      try {
        return await openSocket(endpointOf(address), address.connectTimeout);
      } catch (error) {
        throw failureOf(error, address, false);
      }
    };
    const session = { ...address, password, settings: settingsFor(address, mode) };
    this.#client = new Client(open, session, address.connectTimeout);
  }

  async execute(sql: string, params: readonly Value[] = []): Promise<void> {
    await this.#statements.run(async () => {
      await this.#client.run(sql, params.map(bound));
      this.#connected = true;
    });
  }

  query(sql: string, params: readonly Value[] = []): Promise<Table> {
    return this.#statements.run(async () => {
      const rows = new ResultRows();
      const columns = await this.#client.run(sql, params.map(bound), (cells, all) => rows.take(cells, all));
      this.#connected = true;
      return rows.finish(columns);
    });
  }

  /** Copies rows of `table` into the SQL table `into`: all, or those with the indexes `chosen`. */
  async append(into: string, columns: readonly string[], table: Table, chosen?: Uint32Array): Promise<void> {
    if ((chosen ?? table).length === 0) return;
    const names = columns.map(quoted).join(", ");
    await this.#statements.run(async () => {
      const found = await this.#client.run(`select ${names} from ${quoted(into)} limit 0`);
      const targets = found.map(({ name, type }, index): Target => ({
        name,
        type,
        column: table.columns[index] ?? emptyColumn,
      }));
      await this.#client.copy(
        `copy ${quoted(into)} (${names}) from stdin (format binary)`,
        binaryRows(targets, table.length, chosen),
      );
    });
  }

  async cancel(): Promise<void> {
    if (!this.#statements.isClosed) await this.#client.cancel();
  }

  async close(): Promise<void> {
    if (this.#statements.isClosed) return;
    void this.#statements.close();
    await this.#client.end();
  }
}

/** The files of logins and certificates. */
export const files: ServiceFiles = {
  exists: existsSync,
  read(path) {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  },
  isShared: (path) => (statSync(path).mode & 0o077) !== 0,
};

function endpointOf({ host, port, tls, authorities, certificate, key }: Address): Endpoint {
  const pem = (name: "ca" | "cert" | "key", path: string | undefined): Partial<Record<typeof name, string>> => {
    if (path === undefined || tls === "none") return {};
    const text = files.read(path);
    if (text === undefined) throw new Failure("cannot-read", { path, reason: "TLS needs it" });
    return { [name]: text };
  };
  return { host, port, tls, ...pem("ca", authorities), ...pem("cert", certificate), ...pem("key", key) };
}

/**
 * Session settings that override those of the server, database and user: text formats of values and the search path
 * (CVE-2018-1058).
 */
function settingsFor({ lockTimeout, statementTimeout }: Address, mode: Mode): Record<string, string> {
  return {
    search_path: `${schema}, pg_temp`,
    TimeZone: "UTC",
    DateStyle: "ISO, YMD",
    bytea_output: "hex",
    extra_float_digits: "1",
    standard_conforming_strings: "on",
    default_transaction_isolation: mode === "read" ? "repeatable read" : "read committed",
    lock_timeout: String(lockTimeout),
    ...(mode === "read" ? { default_transaction_read_only: "on" } : {}),
    ...(statementTimeout === undefined ? {} : { statement_timeout: String(statementTimeout) }),
  };
}

const emptyColumn = { kind: "text", dictionary: [], codes: new Int32Array() } as const;

/** Quotes a table or column name, which may be an SQL keyword. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Text has no declared type, so the statement infers it like for a literal. */
function bound(value: Value): Bound {
  if (value === null) return { text: null, type: 0 };
  if (typeof value === "string") {
    if (value.includes("\0")) throw new Failure("text-not-storable");
    return { text: value, type: 0 };
  }
  if (typeof value === "boolean") return { text: String(value), type: typeNumber.bool };
  if (typeof value === "bigint")
    return { text: String(value), type: BigInt.asIntN(64, value) === value ? typeNumber.int8 : typeNumber.numeric };
  return {
    text: Object.is(value, -0) ? "-0" : String(value),
    type: Number.isSafeInteger(value) && !Object.is(value, -0) ? typeNumber.int8 : typeNumber.float8,
  };
}

/**
 * Collects the rows of one result. Reports an error in `finish`, since the driver's row callback must not throw.
 */
class ResultRows {
  #readers: readonly Reader[] | undefined;
  #length = 0;
  #problem: unknown;

  take(cells: readonly (Uint8Array | null)[], columns: readonly ResultColumn[]): void {
    if (this.#problem !== undefined) return;
    try {
      this.#readers ??= readersFor(columns);
      for (let at = 0; at < this.#readers.length; at++) this.#readers[at]?.take(cells[at] ?? null, this.#length);
      this.#length += 1;
    } catch (error) {
      this.#problem = error;
    }
  }

  finish(columns: readonly ResultColumn[]): Table {
    if (this.#problem !== undefined) throw this.#problem;
    const done = (this.#readers ?? readersFor(columns)).map((reader) => reader.finish(this.#length));
    const variables = done.map(({ type }, at): Variable => ({
      name: columns[at]?.name ?? "",
      role: "result",
      occurrence: "multiple",
      type,
    }));
    return { variables, columns: done.map(({ column }) => column), length: this.#length };
  }
}

function readersFor(columns: readonly ResultColumn[]): readonly Reader[] {
  return columns.map(({ name, type }) => {
    const reader = readerFor(type);
    if (reader === undefined) throw new Failure("column-not-readable", { column: name });
    return reader;
  });
}
