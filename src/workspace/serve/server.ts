import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Failure } from "../../core/failures/failure.ts";
import type { Answers } from "./api-call.ts";
import { ChangeStreams } from "./change-streams.ts";
import type { Door } from "./request-guard.ts";
import { hostNames, isLoopback } from "./host-names.ts";
import { respond } from "./respond.ts";
import { servedFiles } from "./served-files.ts";

export interface ServerOptions {
  /** An address of this machine. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Milliseconds within which a request has to be there; by default 30 seconds. */
  readonly patience?: number;
}

export interface RunningServer {
  /** With the token that lets people in. */
  readonly address: string;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Starts to answer pages. Fails with `cannot-listen`. */
export async function startServer(
  options: ServerOptions,
  answers: Answers,
  files = servedFiles(),
): Promise<RunningServer> {
  const { host, patience = 30_000 } = options;
  const streams = new ChangeStreams(answers);
  const token = randomBytes(24).toString("base64url");
  let door: Door | undefined;
  const timing = {
    headersTimeout: patience,
    requestTimeout: patience,
    connectionsCheckingInterval: Math.ceil(patience / 4),
  };
  const server = createServer({ ...timing, keepAliveTimeout: 5000, maxHeaderSize: 16_384 }, (request, response) => {
    if (door !== undefined) void respond({ request, response, door, files, streams, answers });
  });
  server.maxConnections = 256;
  const { port } = await listening(server, options);
  door = { hosts: hostNames(host, port), token, cookie: `perfkeep-${port}` };
  const name = isLoopback(host) ? host : [...door.hosts][0]?.replace(/:\d+$/, "");
  return {
    address: `http://${host.includes(":") ? `[${host}]` : name}:${port}/#token=${token}`,
    close: () => closed(server, streams),
  };
}

function listening(server: Server, { host, port }: ServerOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ""] ?? error.code ?? error.message;
      reject(new Failure("cannot-listen", { host, port, reason }, error));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there",
  EACCES: "permission denied",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no such address",
};

function closed(server: Server, streams: ChangeStreams): Promise<void> {
  streams.end();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
