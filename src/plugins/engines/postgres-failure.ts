import { Failure } from "../../core/failures/index.ts";
import type { Address } from "./postgres-address.ts";
import { Untrusted } from "./postgres-socket.ts";

/** Fields of a server error; other errors have only `message`. */
interface ServerError {
  readonly message: string;
  readonly code?: string;
  readonly detail?: string;
  readonly severity?: string;
  /** Context: call stack of the error. */
  readonly where?: string;
}

/** Data of the failures: address, user, and the server's message in one line. */
type FailureData = Readonly<Record<"host" | "user" | "database" | "reason", string> & { port: number }>;

/** By SQLSTATE code or class (PostgreSQL's documentation, appendix A). */
const bySqlState: readonly (readonly [state: RegExp, failure: (data: FailureData) => Failure])[] = [
  [/^3D000/, (data) => new Failure("no-server-database", data)],
  [/^28/, (data) => new Failure("database-denied", data)],
  [/^42501/, (data) => new Failure("database-forbidden", data)],
  [/^40/, (data) => new Failure("database-conflict", data)],
  [/^55P03/, ({ host, port, database }) => new Failure("database-busy", { path: `${host}:${port}/${database}` })],
  [/^(57014|25P03)/, (data) => new Failure("database-timeout", data)],
  [/^53300/, (data) => new Failure("database-full", data)],
  // Reported by a server about another one that postgres_fdw connects to.
  [/^0800[16]/, (data) => new Failure("data-server-unreachable", data)],
  [/^(57P0[1235]|08)/, (data) => new Failure("database-lost", data)],
  [/^(25006|53|58)/, ({ reason }) => new Failure("database-unwritable", { reason })],
  [/^(22021|22P05)/, () => new Failure("text-not-storable")],
];

/** States of a server that shuts down during a statement. */
const connectionLost = /^(57P0[1235]|08)/;

/** True when the error comes from a data server that this one queried. */
function isFromDataServer({ where = "" }: ServerError): boolean {
  return where.includes("remote SQL command");
}

/** Shard tables end with the number of the shard (`src/store/sharding/sharding-sql.ts`). */
const shardName = /\b(?:once|data)_\d+_x\w*_(\d+)\b/;

const sqlState = /^[0-9A-Z]{5}$/;

/**
 * Maps an error of the driver, socket or server to a Failure. Drops the error itself, which contains statements and
 * values. `connected`: whether the connection had been established.
 */
export function failureOf(error: unknown, address: Address, connected: boolean): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const serverError: ServerError = error;
  const { host, port, user, database } = address;
  const data: FailureData = { host, port, user, database, reason: reasonOf(serverError) };
  if (error instanceof Untrusted) return new Failure("database-untrusted", data);
  if (serverError.severity !== undefined && sqlState.test(serverError.code ?? "")) {
    if (connectionLost.test(serverError.code ?? "") && isFromDataServer(serverError))
      return new Failure("data-server-unreachable", data);
    const known = bySqlState.find(([state]) => state.test(serverError.code ?? ""));
    return known?.[1](data) ?? new Failure("database-refused", { reason: data.reason, state: serverError.code });
  }
  return new Failure(connected ? "database-lost" : "database-unreachable", data);
}

function reasonOf(serverError: ServerError): string {
  const { message, detail, code = "", where = "" } = serverError;
  const shard = isFromDataServer(serverError) ? shardName.exec(where)?.[1] : undefined;
  const words =
    code === "CONNECT_TIMEOUT" ? "it did not answer in time" : [message || code, detail].filter(Boolean).join(": ");
  const text = words.replace(/\s+/g, " ").slice(0, 300);
  return shard === undefined ? text : `shard ${Number(shard) + 1}: ${text}`;
}
