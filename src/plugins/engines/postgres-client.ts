import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import postgres from "postgres";

/** A column of a result: its name, and the number of its type in pg_type. */
export interface ResultColumn {
  readonly name: string;
  readonly type: number;
}

/** A value to bind: its text (null: NULL) and the number of its type, 0 for what the statement makes of it. */
export interface Bound {
  readonly text: string | null;
  readonly type: number;
}

/** Gets the cells of one row in PostgreSQL's text form; null is NULL. Must not throw. */
export type OnRow = (cells: readonly (Uint8Array | null)[], columns: readonly ResultColumn[]) => void;

/** What the driver needs to log in. `settings` are parameters of the session. */
export interface Session {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * One connection to a server, which is never made anew: what a session holds would be gone. Statements run one after
 * the other.
 */
export class Client {
  readonly #sql: postgres.Sql;
  #last: Promise<unknown> = Promise.resolve();
  #used = false;
  #lost = false;
  /** Fails when the connection is gone: a statement that is sent just then is forgotten by the driver. */
  readonly #gone: Promise<never>;
  #running: { cancel(): unknown } | undefined;
  #cancelling = false;

  /** `open` makes the connection when the first statement runs. */
  constructor(open: () => Promise<Socket>, session: Session, patience: number) {
    let tellGone = (): void => {};
    this.#gone = new Promise((_, reject) => {
      // What the driver has to say of it comes first.
      tellGone = () => void setImmediate(() => reject(new Error("it was closed")));
    });
    this.#gone.catch(() => {});
    this.#sql = postgres({
      socket: () => this.#connect(open),
      host: "server",
      port: 5432,
      user: session.user,
      database: session.database,
      // A function, or else the driver looks for a password in the environment.
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
        tellGone();
      },
      onnotice: () => {},
      debug: false,
    } as postgres.Options<Record<string, never>>);
    // Values are bound as their texts; by itself the driver would shift times by the zone of the machine.
    for (const type of Object.keys(this.#sql.options.serializers)) delete this.#sql.options.serializers[Number(type)];
  }

  /** The columns of the result, whose rows went to `onRow`. */
  run(statement: string, params: readonly Bound[] = [], onRow: OnRow = () => {}): Promise<readonly ResultColumn[]> {
    return this.#next(async () => {
      const values = params.map(({ text, type }) => (text === null ? null : this.#sql.typed(text as never, type)));
      // `simple: false`: one statement only, and in one round trip where nothing is bound.
      const pending = this.#sql
        .unsafe(statement, values as never[], { prepare: false, simple: false } as postgres.UnsafeQueryOptions)
        .raw();
      this.#running = pending;
      const result = await pending.forEach((row, all) => onRow(row, all.statement.columns));
      return (result as unknown as { columns: readonly ResultColumn[] }).columns ?? [];
    });
  }

  /** Runs a COPY … FROM STDIN and sends it `pieces`. */
  copy(statement: string, pieces: Iterable<Uint8Array>): Promise<void> {
    return this.#next(async () => {
      const pending = this.#sql.unsafe(statement);
      this.#running = pending;
      const failed = refusalOf(pending);
      const stream = await Promise.race([pending.writable(), failed]);
      try {
        await send(stream, pieces, failed);
      } catch (error) {
        // What was sent is taken back; the connection is free again when the server says so.
        stream.destroy(error as Error);
        await failed.catch(() => {});
        throw error;
      }
    });
  }

  /** Asks the server to end the statement that runs, which then fails; a request has a connection of its own. */
  async cancel(): Promise<void> {
    this.#cancelling = true;
    try {
      await this.#running?.cancel();
    } catch {
      // Where the server cannot be reached the statement fails by itself.
    } finally {
      this.#cancelling = false;
    }
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: 1 });
  }

  /** The driver tries for ever where the server hangs up before it has let the user in. */
  #connect(open: () => Promise<Socket>): Promise<Socket> {
    if (this.#used && this.#cancelling) return open();
    if (this.#used) throw new Error("it closed the connection");
    this.#used = true;
    return open();
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(() => {
      // The driver would connect anew, or wait for ever.
      if (this.#lost) throw new Error("it was closed");
      return Promise.race([work(), this.#gone]).finally(() => (this.#running = undefined));
    });
    this.#last = answer.catch(() => {});
    return answer;
  }
}

async function send(stream: Writable, pieces: Iterable<Uint8Array>, failed: Promise<never>): Promise<void> {
  const ended = Promise.race([finished(stream), failed]);
  ended.catch(() => {});
  for (const piece of pieces) {
    if (!stream.write(piece)) await Promise.race([new Promise((resolve) => stream.once("drain", resolve)), ended]);
  }
  stream.end();
  await ended;
}

/**
 * Rejects when the server refuses a COPY. The driver has answered with the stream by then and tells nobody of a refusal
 * that comes after the last byte was sent (postgres 3.4.9): it only calls `reject` of the query.
 */
function refusalOf(pending: object): Promise<never> {
  const failed = new Promise<never>((_, reject) => Object.assign(pending, { reject }));
  failed.catch(() => {});
  return failed;
}
