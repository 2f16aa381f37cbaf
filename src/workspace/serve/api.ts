/** A call of a page, below `/api/`. */
export interface ApiCall {
  readonly method: "GET" | "POST";
  /** `view`, or `profile/….speedscope.json`. */
  readonly name: string;
  /** What stands behind `?`; of a word twice the first. */
  readonly parameters: ReadonlyMap<string, string>;
  /** What was posted; undefined where nothing was. */
  readonly body: unknown;
  /** Told when nobody waits for the answer any longer. */
  readonly signal: AbortSignal;
}

export interface ApiReply {
  /** Media type. */
  readonly type: string;
  readonly body: Uint8Array | string | Iterable<string>;
}

/** What the server is asked for by pages that are let in. */
export interface ApiHandler {
  /** Fails with a Failure that people are told; undefined: there is no such call. */
  handle(call: ApiCall): Promise<ApiReply | undefined>;
  /** Tells a page of changes until the answer is called. */
  watch(changed: (what: string) => void): () => void;
  /** Told of what went wrong through no fault of the page. */
  reportError(error: unknown): void;
}
