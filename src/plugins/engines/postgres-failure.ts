import { Failure } from "../../core/failures/failure.ts";
import type { Address } from "./postgres-address.ts";
import { Untrusted } from "./postgres-socket.ts";

/** What the server tells of a statement it refused; of other errors only `message` is there. */
interface Told {
  readonly message: string;
  readonly code?: string;
  readonly detail?: string;
  readonly severity?: string;
  /** What the server was at. */
  readonly where?: string;
}

/** The server's words of one line, and the user that they speak of. */
type Facts = Readonly<Record<"host" | "user" | "database" | "reason", string> & { port: number }>;

/** By SQLSTATE, whole or by class (PostgreSQL's documentation, appendix A). */
const bySqlState: readonly (readonly [state: RegExp, failure: (facts: Facts) => Failure])[] = [
  [/^3D000/, (facts) => new Failure("no-server-database", facts)],
  [/^28/, (facts) => new Failure("database-denied", facts)],
  [/^42501/, (facts) => new Failure("database-forbidden", facts)],
  [/^40/, (facts) => new Failure("database-conflict", facts)],
  [/^55P03/, ({ host, port, database }) => new Failure("database-busy", { path: `${host}:${port}/${database}` })],
  [/^(57014|25P03)/, (facts) => new Failure("database-timeout", facts)],
  [/^53300/, (facts) => new Failure("database-full", facts)],
  // A server says so of another server, to which postgres_fdw went for it.
  [/^0800[16]/, (facts) => new Failure("data-server-unreachable", facts)],
  [/^(57P0[1235]|08)/, (facts) => new Failure("database-lost", facts)],
  [/^(25006|53|58)/, ({ reason }) => new Failure("database-unwritable", { reason })],
  [/^(22021|22P05)/, () => new Failure("text-not-storable")],
];

/** A server that ends while it is asked, in its own words. */
const lostThere = /^(57P0[1235]|08)/;

/** Whether it was another server that said so, which this one went to. */
function isOfPart({ where = "" }: Told): boolean {
  return where.includes("remote SQL command");
}

/** Where rows lie in parts, the name of a part ends with its number (`src/store/sharding/sharding-sql.ts`). */
const partName = /\b(?:once|data)_\d+_x\w*_(\d+)\b/;

const sqlState = /^[0-9A-Z]{5}$/;

/**
 * What an error of driver, socket or server means. Nothing of the error itself is kept: it knows statements and values.
 * `connected`: whether the connection stood before.
 */
export function failureOf(error: unknown, address: Address, connected: boolean): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const told: Told = error;
  const { host, port, user, database } = address;
  const facts: Facts = { host, port, user, database, reason: reasonOf(told) };
  if (error instanceof Untrusted) return new Failure("database-untrusted", facts);
  if (told.severity !== undefined && sqlState.test(told.code ?? "")) {
    if (lostThere.test(told.code ?? "") && isOfPart(told)) return new Failure("data-server-unreachable", facts);
    const known = bySqlState.find(([state]) => state.test(told.code ?? ""));
    return known?.[1](facts) ?? new Failure("database-refused", { reason: facts.reason, state: told.code });
  }
  return new Failure(connected ? "database-lost" : "database-unreachable", facts);
}

function reasonOf(told: Told): string {
  const { message, detail, code = "", where = "" } = told;
  const part = isOfPart(told) ? partName.exec(where)?.[1] : undefined;
  const words =
    code === "CONNECT_TIMEOUT" ? "it did not answer in time" : [message || code, detail].filter(Boolean).join(": ");
  const said = words.replace(/\s+/g, " ").slice(0, 300);
  return part === undefined ? said : `part ${Number(part) + 1} says: ${said}`;
}
