import type { IncomingMessage } from "node:http";

/** The largest body that is taken: a query in its text form is far smaller. */
const largestBody = 1 << 20;

export class BadBody extends Error {
  readonly status: 400 | 413;

  constructor(status: 400 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/** The JSON that was posted. Fails with `BadBody`; nothing beyond the largest size is read. */
export async function postedBody(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers["content-length"] ?? 0) > largestBody) throw new BadBody(413, "That is too much.");
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > largestBody) throw new BadBody(413, "That is too much.");
    pieces.push(piece);
  }
  return parsed(pieces, size);
}

function parsed(pieces: readonly Uint8Array[], size: number): unknown {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new BadBody(400, "That is no JSON.");
  }
}
