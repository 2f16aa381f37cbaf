import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

/** A request of a page to a path below `/api/`. */
export interface ApiCall {
  readonly method: "GET" | "POST";
  /** `view`, or `profile/….speedscope.json`. */
  readonly name: string;
  /** Query parameters; the first value of a repeated one. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The posted JSON; undefined for GET. */
  readonly body: unknown;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface ApiReply {
  /** Media type. */
  readonly type: string;
  readonly body: Uint8Array | string | Iterable<string>;
}

/** Handles requests of authenticated pages. */
export interface ApiHandler {
  /** Undefined for an unknown call. A `Failure` is reported to the page. */
  handle(call: ApiCall): Promise<ApiReply | undefined>;
  /** Subscribes a page to changes; the result unsubscribes. */
  watch(changed: (what: string) => void): () => void;
  /** Called for unexpected errors. */
  reportError(error: unknown): void;
}

/** Smaller answers are not compressed. */
const minCompressed = 16_384;

/** An answer, compressed if it is large and the client reads gzip, with the header for it. */
export async function encodedBody(
  data: Uint8Array | string,
  accepted: string | undefined,
): Promise<{ readonly bytes: Uint8Array; readonly encoding: Readonly<Record<string, string>> }> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  // `gzip;q=0` refuses it.
  const isAccepted = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(accepted ?? "");
  if (bytes.length < minCompressed || !isAccepted) return { bytes, encoding: {} };
  const level = constants.Z_BEST_SPEED;
  return { bytes: await promisify(gzip)(bytes, { level }), encoding: { "content-encoding": "gzip" } };
}
