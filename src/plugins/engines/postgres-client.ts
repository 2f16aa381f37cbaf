import postgres from "postgres";
import { Failure, isFailure } from "../../core/failures/index.ts";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Bounds of the pauses in milliseconds: the minimum, and the maximum of the first and the last pause. */
const [minPause, firstMaxPause, lastMaxPause] = [20, 100, 1000];

/**
 * Calls `connect` and retries for up to `patience` milliseconds while the server has no connection left. `random` adds
 * jitter to the pauses. Fails with `database-full`.
 */
export async function retryWhenFull<T>(connect: () => Promise<T>, patience: number, random: () => number): Promise<T> {
  const timeout = AbortSignal.timeout(patience);
  for (let maxPause = firstMaxPause; ; maxPause = Math.min(maxPause * 1.5, lastMaxPause)) {
    try {
      return await connect();
    } catch (error) {
      if (!(error instanceof Failure) || !isFailure(error, "database-full")) throw error;
      if (timeout.aborted) throw new Failure("database-full", { ...error.data, seconds: Math.round(patience / 1000) });
      await sleep(minPause + random() * (maxPause - minPause));
    }
  }
}

/** A result column; `type` is its OID in pg_type. */
export interface ResultColumn {
  readonly name: string;
  readonly type: number;
}

/** A value to bind: its text (null: NULL) and the OID of its type, 0 to infer it. */
export interface Bound {
  readonly text: string | null;
  readonly type: number;
}

/** Receives the cells of one row in PostgreSQL's text format; null is NULL. Must not throw. */
export type OnRow = (cells: readonly (Uint8Array | null)[], columns: readonly ResultColumn[]) => void;

/** Login and session parameters (`settings`). */
export interface Session {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * One connection to a server. It never reconnects, since the session state would be lost. Statements run sequentially.
 */
export class Client {
  readonly #sql: postgres.Sql;
  #last: Promise<unknown> = Promise.resolve();
  #used = false;
  #lost = false;
  /** Rejects when the connection is lost: the driver drops a statement that is sent at that moment. */
  readonly #connectionLost: Promise<never>;
  #running: { cancel(): unknown } | undefined;
  #cancelling = false;

  /** `open` connects when the first statement runs. */
  constructor(open: () => Promise<Socket>, session: Session, patience: number) {
    let rejectLost = (): void => {};
    this.#connectionLost = new Promise((_, reject) => {
      // The driver's own error takes precedence.
      rejectLost = () => void setImmediate(() => reject(new Error("it was closed")));
    });
    this.#connectionLost.catch(() => {});
    this.#sql = postgres({
      socket: () => this.#connect(open),
      host: "server",
      port: 5432,
      user: session.user,
      database: session.database,
      // A function prevents the driver from reading the password from the environment.
      password: () => session.password,
      connection: { application_name: "perfkeep", ...session.settings },
      connect_timeout: Math.max(1, Math.ceil(patience / 1000)),
      max: 1,
      max_lifetime: null,
      idle_timeout: 0,
      fetch_types: false,
      no_subscribe: true,
      onclose: () => {
        this.#lost = true;
        rejectLost();
      },
      onnotice: () => {},
      debug: false,
    } as postgres.Options<Record<string, never>>);
    // Values are bound as text; the driver's serializers would shift times by the local time zone.
    for (const type of Object.keys(this.#sql.options.serializers)) delete this.#sql.options.serializers[Number(type)];
  }

  /** Runs one statement, passes its rows to `onRow` and returns the result columns. */
  run(statement: string, params: readonly Bound[] = [], onRow: OnRow = () => {}): Promise<readonly ResultColumn[]> {
    return this.#enqueue(async () => {
      const values = params.map(({ text, type }) => (text === null ? null : this.#sql.typed(text as never, type)));
      // `simple: false` allows one statement only, in one round trip if nothing is bound.
      const pending = this.#sql
        .unsafe(statement, values as never[], { prepare: false, simple: false } as postgres.UnsafeQueryOptions)
        .raw();
      this.#running = pending;
      const result = await pending.forEach((row, all) => onRow(row, all.statement.columns));
      return (result as unknown as { columns: readonly ResultColumn[] }).columns ?? [];
    });
  }

  /** Runs a COPY … FROM STDIN and sends it `chunks`. */
  copy(statement: string, chunks: Iterable<Uint8Array>): Promise<void> {
    return this.#enqueue(async () => {
      const pending = this.#sql.unsafe(statement);
      this.#running = pending;
      const failed = refusalOf(pending);
      const stream = await Promise.race([pending.writable(), failed]);
      try {
        await send(stream, chunks, failed);
      } catch (error) {
        // Aborts the COPY; the connection is usable again after the server's response.
        stream.destroy(error as Error);
        await failed.catch(() => {});
        throw error;
      }
    });
  }

  /** Cancels the running statement, which then fails; uses a separate connection. */
  async cancel(): Promise<void> {
    this.#cancelling = true;
    try {
      await this.#running?.cancel();
    } catch {
      // If the server is unreachable, the statement fails anyway.
    } finally {
      this.#cancelling = false;
    }
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: 1 });
  }

  /** Connects once: the driver retries forever when the server closes the connection before login. */
  #connect(open: () => Promise<Socket>): Promise<Socket> {
    if (this.#used && this.#cancelling) return open();
    if (this.#used) throw new Error("it closed the connection");
    this.#used = true;
    return open();
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const outcome = this.#last.then(() => {
      // The driver would reconnect or wait forever.
      if (this.#lost) throw new Error("it was closed");
      return Promise.race([work(), this.#connectionLost]).finally(() => (this.#running = undefined));
    });
    this.#last = outcome.catch(() => {});
    return outcome;
  }
}

async function send(stream: Writable, chunks: Iterable<Uint8Array>, failed: Promise<never>): Promise<void> {
  const ended = Promise.race([finished(stream), failed]);
  ended.catch(() => {});
  for (const chunk of chunks) {
    if (!stream.write(chunk)) await Promise.race([new Promise((resolve) => stream.once("drain", resolve)), ended]);
  }
  stream.end();
  await ended;
}

/**
 * Rejects when the server refuses a COPY. The driver does not report an error after the last byte on the stream
 * (postgres 3.4.9); it only calls `reject` of the query.
 */
function refusalOf(pending: object): Promise<never> {
  const failed = new Promise<never>((_, reject) => Object.assign(pending, { reject }));
  failed.catch(() => {});
  return failed;
}
