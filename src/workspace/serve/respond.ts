import { Failure, isFailure } from "../../core/failures/failure.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import type { Answers, Call, Reply } from "./api-call.ts";
import type { ChangeStreams } from "./change-streams.ts";
import { doorPath, enterPath, isLet, isToken, refusalOf, type Door, type RequestHead } from "./request-guard.ts";
import { headersOf } from "./headers.ts";
import { appPage, doorPage, policies } from "./live-page.ts";
import type { ServedFile } from "./served-files.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The largest body that is taken: a query in its text form is far smaller. */
const largestBody = 1 << 20;

class BadBody extends Error {
  readonly status: 400 | 413;

  constructor(status: 400 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/** The JSON that was posted. Fails with `BadBody`; nothing beyond the largest size is read. */
async function postedBody(request: IncomingMessage): Promise<unknown> {
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

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly door: Door;
  readonly files: ReadonlyMap<string, ServedFile>;
  readonly streams: ChangeStreams;
  readonly answers: Answers;
}

/** Answers one request, whatever it is. */
export async function respond(exchange: Exchange): Promise<void> {
  const { request, response, door, answers } = exchange;
  try {
    const [path, search] = splitOnce(request.url ?? "", "?");
    const head = { method: request.method ?? "", path, headers: request.headers };
    const refusal = refusalOf(head, door);
    if (refusal !== undefined) return refuse(exchange, refusal.status, refusal.message);
    await answer(exchange, head, search);
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    if (error instanceof BadBody) return refuse(exchange, error.status, error.message);
    if (!isFailure(error)) answers.failed(error);
    refuse(exchange, ...told(error));
  }
}

async function answer(exchange: Exchange, head: RequestHead, search: string): Promise<void> {
  const { request, files, streams, response, door } = exchange;
  const { method, path } = head;
  if (method === "POST" && path === enterPath) return enter(exchange);
  if (path.startsWith("/api/")) {
    if (method === "GET" && path === "/api/changes") return streams.add(response);
    const body = method === "POST" ? await postedBody(request) : undefined;
    return answerCall(exchange, {
      method: method === "POST" ? "POST" : "GET",
      name: path.slice(5),
      words: wordsOf(search),
      body,
    });
  }
  if (method === "GET" && path === doorPath) {
    const isIn = isLet(head, door);
    return send(response, isIn ? policies.app : policies.door, "text/html; charset=utf-8", isIn ? appPage : doorPage);
  }
  const file = method === "GET" ? files.get(path) : undefined;
  if (file === undefined) return refuse(exchange, 404, "There is nothing here.");
  send(response, file.policy, file.type, file.bytes());
}

/** Whoever has the token gets the cookie. */
async function enter(exchange: Exchange): Promise<void> {
  const { door, response } = exchange;
  const body = await postedBody(exchange.request);
  const token = typeof body === "object" && body !== null && "token" in body ? String(body.token) : "";
  if (!isToken(token, door.token)) return refuse(exchange, 401, "That is not the token.");
  const cookie = `${door.cookie}=${door.token}; HttpOnly; SameSite=Strict; Path=/`;
  response.writeHead(204, { ...headersOf(policies.data), "set-cookie": cookie }).end();
}

async function answerCall(exchange: Exchange, call: Omit<Call, "gone">): Promise<void> {
  const { response, answers } = exchange;
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const reply = await answers.answer({ ...call, gone: gone.signal });
  if (response.destroyed) return;
  if (reply === undefined) return refuse(exchange, 404, "There is no such call.");
  await sendReply(response, reply);
}

async function sendReply(response: ServerResponse, { type, content }: Reply): Promise<void> {
  if (typeof content === "string" || content instanceof Uint8Array) return send(response, policies.data, type, content);
  response.writeHead(200, { ...headersOf(policies.data), "content-type": type });
  await pipeline(Readable.from(content), response);
}

function send(response: ServerResponse, policy: string, type: string, content: Uint8Array | string): void {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  response.writeHead(200, { ...headersOf(policy), "content-type": type, "content-length": bytes.length }).end(bytes);
}

/** What of the body was not read yet is not waited for: the connection ends. */
function refuse({ request, response }: Exchange, status: number, message: string): void {
  const ends = request.method === "GET" || request.complete ? {} : { connection: "close" };
  const allow = status === 405 ? { allow: "GET, POST" } : {};
  const headers = { ...headersOf(policies.data), ...ends, ...allow, "content-type": "application/json" };
  response.writeHead(status, headers).end(JSON.stringify({ message }));
}

function told(error: unknown): [status: number, message: string] {
  if (!(error instanceof Failure)) return [500, "perfkeep made a mistake here; its terminal says more."];
  const message = [error.message, error.remedy].filter((line) => line !== "").join(": ");
  if (error.code === "database-busy") return [503, message];
  return [error.exit === exitStatus.nothingMatched ? 404 : 400, message];
}

function wordsOf(search: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const [name, word] of new URLSearchParams(search)) if (!words.has(name)) words.set(name, word);
  return words;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
