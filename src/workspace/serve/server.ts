import { Failure, isFailure } from "../../core/failures/failure.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import type { ApiHandler, ApiCall, ApiReply } from "./api.ts";
import { ChangeStreams } from "./change-streams.ts";
import { securityHeaders } from "./headers.ts";
import { allowedHosts, isLoopback } from "./host-names.ts";
import { appPage, loginPage, policies } from "./live-page.ts";
import { type AccessPolicy, loginPath, tokenPath, isAuthenticated, equalsToken, checkRequest, type RequestHead } from "./request-guard.ts";
import { servedFiles, type ServedFile } from "./served-files.ts";
import { randomBytes } from "node:crypto";
import { createServer, type Server, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The largest body that is taken: a query in its text form is far smaller. */
const maxBodyBytes = 1 << 20;

class BodyError extends Error {
  readonly status: 400 | 413;

  constructor(status: 400 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/** The JSON that was posted. Fails with `BadBody`; nothing beyond the largest size is read. */
async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) throw new BodyError(413, "That is too much.");
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > maxBodyBytes) throw new BodyError(413, "That is too much.");
    pieces.push(piece);
  }
  return parseJson(pieces, size);
}

function parseJson(pieces: readonly Uint8Array[], size: number): unknown {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new BodyError(400, "That is no JSON.");
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly door: AccessPolicy;
  readonly files: ReadonlyMap<string, ServedFile>;
  readonly streams: ChangeStreams;
  readonly answers: ApiHandler;
}

/** Answers one request, whatever it is. */
async function respond(exchange: Exchange): Promise<void> {
  const { request, response, door, answers } = exchange;
  try {
    const [path, search] = splitOnce(request.url ?? "", "?");
    const head = { method: request.method ?? "", path, headers: request.headers };
    const refusal = checkRequest(head, door);
    if (refusal !== undefined) return sendError(exchange, refusal.status, refusal.message);
    await route(exchange, head, search);
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    if (error instanceof BodyError) return sendError(exchange, error.status, error.message);
    if (!isFailure(error)) answers.reportError(error);
    sendError(exchange, ...errorResponse(error));
  }
}

async function route(exchange: Exchange, head: RequestHead, search: string): Promise<void> {
  const { request, files, streams, response, door } = exchange;
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
    const isIn = isAuthenticated(head, door);
    return send(response, isIn ? policies.app : policies.door, "text/html; charset=utf-8", isIn ? appPage : loginPage);
  }
  const file = method === "GET" ? files.get(path) : undefined;
  if (file === undefined) return sendError(exchange, 404, "There is nothing here.");
  send(response, file.policy, file.type, file.bytes());
}

/** Whoever has the token gets the cookie. */
async function exchangeToken(exchange: Exchange): Promise<void> {
  const { door, response } = exchange;
  const body = await readJsonBody(exchange.request);
  const token = typeof body === "object" && body !== null && "token" in body ? String(body.token) : "";
  if (!equalsToken(token, door.token)) return sendError(exchange, 401, "That is not the token.");
  const cookie = `${door.cookie}=${door.token}; HttpOnly; SameSite=Strict; Path=/`;
  response.writeHead(204, { ...securityHeaders(policies.data), "set-cookie": cookie }).end();
}

async function handleApiCall(exchange: Exchange, call: Omit<ApiCall, "signal">): Promise<void> {
  const { response, answers } = exchange;
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const reply = await answers.handle({ ...call, signal: gone.signal });
  if (response.destroyed) return;
  if (reply === undefined) return sendError(exchange, 404, "There is no such call.");
  await sendReply(response, reply);
}

async function sendReply(response: ServerResponse, { type, body: content }: ApiReply): Promise<void> {
  if (typeof content === "string" || content instanceof Uint8Array) return send(response, policies.data, type, content);
  response.writeHead(200, { ...securityHeaders(policies.data), "content-type": type });
  await pipeline(Readable.from(content), response);
}

function send(response: ServerResponse, policy: string, type: string, content: Uint8Array | string): void {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  response.writeHead(200, { ...securityHeaders(policy), "content-type": type, "content-length": bytes.length }).end(bytes);
}

/** What of the body was not read yet is not waited for: the connection ends. */
function sendError({ request, response }: Exchange, status: number, message: string): void {
  const ends = request.method === "GET" || request.complete ? {} : { connection: "close" };
  const allow = status === 405 ? { allow: "GET, POST" } : {};
  const headers = { ...securityHeaders(policies.data), ...ends, ...allow, "content-type": "application/json" };
  response.writeHead(status, headers).end(JSON.stringify({ message }));
}

function errorResponse(error: unknown): [status: number, message: string] {
  if (!(error instanceof Failure)) return [500, "perfkeep made a mistake here; its terminal says more."];
  const message = [error.message, error.remedy].filter((line) => line !== "").join(": ");
  if (error.code === "database-busy") return [503, message];
  return [error.exit === exitStatus.nothingMatched ? 404 : 400, message];
}

function parseQuery(search: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const [name, word] of new URLSearchParams(search)) if (!words.has(name)) words.set(name, word);
  return words;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

export interface ServerOptions {
  /** An address of this machine. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Milliseconds within which a request has to be there; by default 30 seconds. */
  readonly requestTimeout?: number;
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
  answers: ApiHandler,
  files = servedFiles(),
): Promise<RunningServer> {
  const { host, requestTimeout: patience = 30_000 } = options;
  const streams = new ChangeStreams(answers);
  const token = randomBytes(24).toString("base64url");
  let door: AccessPolicy | undefined;
  const timing = {
    headersTimeout: patience,
    requestTimeout: patience,
    connectionsCheckingInterval: Math.ceil(patience / 4),
  };
  const server = createServer({ ...timing, keepAliveTimeout: 5000, maxHeaderSize: 16_384 }, (request, response) => {
    if (door !== undefined) void respond({ request, response, door, files, streams, answers });
  });
  server.maxConnections = 256;
  const { port } = await listen(server, options);
  door = { hosts: allowedHosts(host, port), token, cookie: `perfkeep-${port}` };
  const name = isLoopback(host) ? host : [...door.hosts][0]?.replace(/:\d+$/, "");
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
  EADDRINUSE: "another program listens there",
  EACCES: "permission denied",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no such address",
};

function closeServer(server: Server, streams: ChangeStreams): Promise<void> {
  streams.end();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
