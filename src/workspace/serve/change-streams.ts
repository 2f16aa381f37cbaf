import type { ServerResponse } from "node:http";
import type { ApiHandler } from "./api.ts";
import { securityHeaders } from "./headers.ts";
import { policies } from "./live-page.ts";

/** A browser has six connections for all its pages of one server: some have to stay for their questions. */
const maxStreams = 4;
/** Milliseconds. */
const keepAliveMilliseconds = 15_000;

/** Pages that are told of changes (server-sent events). */
export class ChangeStreams {
  readonly #answers: ApiHandler;
  readonly #open = new Set<ServerResponse>();

  constructor(answers: ApiHandler) {
    this.#answers = answers;
  }

  /** Tells the page until it goes. One page too many is told to ask no more (204) and is not told. */
  add(response: ServerResponse): void {
    if (this.#open.size >= maxStreams) return void response.writeHead(204, securityHeaders(policies.data)).end();
    this.#open.add(response);
    response.writeHead(200, { ...securityHeaders(policies.data), "content-type": "text/event-stream" });
    response.write("retry: 2000\n\n");
    const forget = this.#answers.watch((what) => response.write(`data: ${JSON.stringify(what)}\n\n`));
    const beat = setInterval(() => response.write(": still here\n\n"), keepAliveMilliseconds);
    response.on("close", () => {
      clearInterval(beat);
      forget();
      this.#open.delete(response);
    });
  }

  end(): void {
    for (const response of this.#open) response.end();
  }
}
