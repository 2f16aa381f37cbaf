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
