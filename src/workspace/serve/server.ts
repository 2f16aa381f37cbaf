import { Failure, isFailure, exitStatus } from "../../core/failures/index.ts";
import { type ApiHandler, type ApiCall, type ApiReply, encodedBody } from "./api.ts";
import {
  allowedHosts,
  isLoopback,
  type AccessPolicy,
  loginPath,
  tokenPath,
  isAuthenticated,
  equalsToken,
  checkRequest,
  type RequestHead,
} from "./access.ts";
import { appPage, loginPage, policies, securityHeaders, servedFiles, type ServedFile } from "./pages.ts";
import { randomBytes } from "node:crypto";
import { createServer, type Server, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Browsers open six connections per server; some must stay free for requests. */
const maxStreams = 4;
/** Interval of keep-alive comments. */
const keepAliveMilliseconds = 15_000;

/** Open server-sent event streams of pages. */
class ChangeStreams {
  readonly #handler: ApiHandler;
  readonly #open = new Set<ServerResponse>();

  constructor(handler: ApiHandler) {
    this.#handler = handler;
  }

  /** Streams changes until the client disconnects. Beyond `maxStreams` handler 204, which stops reconnects. */
  add(response: ServerResponse): void {
    if (this.#open.size >= maxStreams) return void response.writeHead(204, securityHeaders(policies.data)).end();
    this.#open.add(response);
    response.writeHead(200, { ...securityHeaders(policies.data), "content-type": "text/event-stream" });
    response.write("retry: 2000\n\n");
    const unsubscribe = this.#handler.watch((what) => response.write(`data: ${JSON.stringify(what)}\n\n`));
    const timer = setInterval(() => response.write(": keep-alive\n\n"), keepAliveMilliseconds);
    response.on("close", () => {
      clearInterval(timer);
      unsubscribe();
      this.#open.delete(response);
    });
  }

  end(): void {
    for (const response of this.#open) response.end();
  }
}

/** Maximum size of a posted body; queries in text form are far smaller. */
const maxBodyBytes = 1 << 20;

class BodyError extends Error {
  readonly status: 400 | 413;

  constructor(status: 400 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/** Parses the posted JSON. Fails with `BodyError`; stops reading at the limit. */
async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes)
    throw new BodyError(413, "The request body is too large.");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new BodyError(413, "The request body is too large.");
    chunks.push(chunk);
  }
  return parseJson(chunks, size);
}

function parseJson(chunks: readonly Uint8Array[], size: number): unknown {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new BodyError(400, "The request body is not JSON.");
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly access: AccessPolicy;
  readonly files: ReadonlyMap<string, ServedFile>;
  readonly streams: ChangeStreams;
  readonly handler: ApiHandler;
}

/** Handles one HTTP request. */
async function respond(exchange: Exchange): Promise<void> {
  const { request, response, access, handler } = exchange;
  try {
    const [path, search] = splitOnce(request.url ?? "", "?");
    const head = { method: request.method ?? "", path, headers: request.headers };
    const refusal = checkRequest(head, access);
    if (refusal !== undefined) return sendError(exchange, refusal.status, refusal.message);
    await route(exchange, head, search);
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    if (error instanceof BodyError) return sendError(exchange, error.status, error.message);
    if (!isFailure(error)) handler.reportError(error);
    sendError(exchange, ...errorResponse(error));
  }
}

async function route(exchange: Exchange, head: RequestHead, search: string): Promise<void> {
  const { request, files, streams, response, access } = exchange;
  const { method, path } = head;
  if (method === "POST" && path === tokenPath) return exchangeToken(exchange);
  if (path.startsWith("/api/")) {
    if (method === "GET" && path === "/api/changes") return streams.add(response);
    const body = method === "POST" ? await readJsonBody(request) : undefined;
    return handleApiCall(exchange, {
      method: method === "POST" ? "POST" : "GET",
      name: path.slice(5),
      parameters: parseQuery(search),
      body,
    });
  }
  if (method === "GET" && path === loginPath) {
    const [policy, page] = isAuthenticated(head, access) ? [policies.app, appPage] : [policies.login, loginPage];
    return send(response, policy, "text/html; charset=utf-8", page);
  }
  const file = method === "GET" ? files.get(path) : undefined;
  if (file === undefined) return sendError(exchange, 404, "Not found.");
  send(response, file.policy, file.type, file.bytes());
}

/** Exchanges the token for a cookie. */
async function exchangeToken(exchange: Exchange): Promise<void> {
  const { access, response } = exchange;
  const body = await readJsonBody(exchange.request);
  const token = typeof body === "object" && body !== null && "token" in body ? String(body.token) : "";
  if (!equalsToken(token, access.token)) return sendError(exchange, 401, "Invalid token.");
  const cookie = `${access.cookie}=${access.token}; HttpOnly; SameSite=Strict; Path=/`;
  response.writeHead(204, { ...securityHeaders(policies.data), "set-cookie": cookie }).end();
}

async function handleApiCall(exchange: Exchange, call: Omit<ApiCall, "signal">): Promise<void> {
  const { response, handler } = exchange;
  const abort = new AbortController();
  response.on("close", () => abort.abort());
  const reply = await handler.handle({ ...call, signal: abort.signal });
  if (response.destroyed) return;
  if (reply === undefined) return sendError(exchange, 404, "Unknown API call.");
  await sendReply(response, reply);
}

async function sendReply(response: ServerResponse, { type, body: data }: ApiReply): Promise<void> {
  const headers = { ...securityHeaders(policies.data), "content-type": type };
  if (typeof data === "string" || data instanceof Uint8Array) {
    // Compressing takes longer than sending within this machine; ssh compresses on demand (`ssh -C`).
    const isLocal = isLoopback(response.req.socket.remoteAddress ?? "");
    const accepted = isLocal ? undefined : response.req.headers["accept-encoding"];
    const { bytes, encoding } = await encodedBody(data, accepted);
    return void response.writeHead(200, { ...headers, ...encoding, "content-length": bytes.length }).end(bytes);
  }
  response.writeHead(200, headers);
  await pipeline(Readable.from(data), response);
}

function send(response: ServerResponse, policy: string, type: string, bytes: Uint8Array | string): void {
  const headers = { ...securityHeaders(policy), "content-type": type, "content-length": Buffer.byteLength(bytes) };
  response.writeHead(200, headers).end(bytes);
}

/** Closes the connection if the body has not been read completely. */
function sendError({ request, response }: Exchange, status: number, message: string): void {
  const ends = request.method === "GET" || request.complete ? {} : { connection: "close" };
  const allow = status === 405 ? { allow: "GET, POST" } : {};
  const headers = { ...securityHeaders(policies.data), ...ends, ...allow, "content-type": "application/json" };
  response.writeHead(status, headers).end(JSON.stringify({ message }));
}

function errorResponse(error: unknown): [status: number, message: string] {
  if (!(error instanceof Failure)) return [500, "Internal error of perfkeep; its terminal has details."];
  const message = [error.message, error.remedy].filter((line) => line !== "").join(": ");
  if (error.code === "database-busy") return [503, message];
  return [error.exit === exitStatus.nothingMatched ? 404 : 400, message];
}

function parseQuery(search: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) if (!parameters.has(name)) parameters.set(name, value);
  return parameters;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

export interface ServerOptions {
  /** Address to listen on. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Milliseconds until an incomplete request is aborted; 30 s by default. */
  readonly requestTimeout?: number;
}

export interface RunningServer {
  /** URL with the access token in its fragment. */
  readonly address: string;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/** Starts the server. Fails with `cannot-listen`. */
export async function startServer(
  options: ServerOptions,
  handler: ApiHandler,
  files = servedFiles(),
): Promise<RunningServer> {
  const { host, requestTimeout: timeout = 30_000 } = options;
  const streams = new ChangeStreams(handler);
  const token = randomBytes(24).toString("base64url");
  let access: AccessPolicy | undefined;
  const timing = {
    headersTimeout: timeout,
    requestTimeout: timeout,
    connectionsCheckingInterval: Math.ceil(timeout / 4),
  };
  const server = createServer({ ...timing, keepAliveTimeout: 5000, maxHeaderSize: 16_384 }, (request, response) => {
    if (access !== undefined) void respond({ request, response, access, files, streams, handler });
  });
  limitConnections(server);
  const { port } = await listen(server, options);
  access = { hosts: allowedHosts(host, port), token, cookie: `perfkeep-${port}` };
  const name = isLoopback(host) ? host : [...access.hosts][0]?.replace(/:\d+$/, "");
  return {
    address: `http://${host.includes(":") ? `[${host}]` : name}:${port}/#token=${token}`,
    close: () => closeServer(server, streams),
  };
}

function listen(server: Server, { host, port }: ServerOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = listenErrors[error.code ?? ""] ?? error.code ?? error.message;
      reject(new Failure("cannot-listen", { host, port, reason }, error));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

const listenErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens on it",
  EACCES: "permission denied",
  EADDRNOTAVAIL: "this machine does not have this address",
  ENOTFOUND: "there is no such address",
};

function closeServer(server: Server, streams: ChangeStreams): Promise<void> {
  streams.end();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Maximum number of open connections. */
const maxConnections = 256;

/**
 * Closes the connection that has been idle for the longest time when there are too many: other programs of the machine
 * can open connections without the token, and must not lock out pages. Connections with a request in work stay.
 */
function limitConnections(server: Server): void {
  const idle = new Set<Socket>();
  let open = 0;
  server.on("connection", (socket) => {
    open++;
    socket.once("close", () => {
      open--;
      idle.delete(socket);
    });
    if (open > maxConnections) ([...idle.keys()][0] ?? socket).destroy();
    if (!socket.destroyed) idle.add(socket);
  });
  server.on("request", ({ socket }, response) => {
    idle.delete(socket);
    response.once("close", () => void (socket.destroyed || idle.add(socket)));
  });
}
