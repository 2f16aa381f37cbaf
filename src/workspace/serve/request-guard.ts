import { timingSafeEqual } from "node:crypto";

/** What a request says of itself before its body is read. Names of headers in small letters. */
export interface RequestHead {
  readonly method: string;
  /** Without what stands behind `?`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface AccessPolicy {
  /**
   * What a request calls us, `127.0.0.1:8080`: any other name means that somebody else's name was made to lead here.
   */
  readonly hosts: ReadonlySet<string>;
  readonly token: string;
  /** Browsers keep one jar for all ports of a machine: the name tells ours from those of others. */
  readonly cookie: string;
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 405 | 415 | 421;
  readonly message: string;
}

/** Where those come who have no cookie yet. */
export const [loginPath, tokenPath] = ["/", "/enter"];

/** Why a request is not answered, whatever it asks for; undefined: it is welcome, if `isLet` in or at the door. */
export function checkRequest(head: RequestHead, door: AccessPolicy): Refusal | undefined {
  const { method, headers } = head;
  if (method !== "GET" && method !== "POST") return { status: 405, message: "Only GET and POST are answered." };
  if (!door.hosts.has(headerValue(headers["host"]))) return { status: 421, message: "This server goes by another name." };
  if (!isSameOrigin(headers, door)) return { status: 403, message: "Pages of others are not answered." };
  if (method === "POST" && !isJson(headers)) return { status: 415, message: "Only JSON is taken." };
  if (isLoginRequest(head) || isAuthenticated(head, door)) return undefined;
  return { status: 401, message: "Open the address that perfkeep serve printed." };
}

/** Whether the one who asks has the cookie. */
export function isAuthenticated({ headers }: RequestHead, { cookie, token }: AccessPolicy): boolean {
  const pairs = headerValue(headers["cookie"]).split(/; */);
  return pairs.some((pair) => pair.startsWith(`${cookie}=`) && equalsToken(pair.slice(cookie.length + 1), token));
}

/** Takes as long whatever the word is. */
export function equalsToken(word: string, token: string): boolean {
  const [given, wanted] = [new TextEncoder().encode(word), new TextEncoder().encode(token)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function isLoginRequest({ method, path }: RequestHead): boolean {
  return method === "GET" ? path === loginPath : path === tokenPath;
}

/** Browsers say where a request comes from; programs that are none say nothing. */
function isSameOrigin(headers: RequestHead["headers"], { hosts }: AccessPolicy): boolean {
  const [origin, site] = [headers["origin"], headers["sec-fetch-site"]];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return true;
  const host = headerValue(headers["host"]);
  return hosts.has(host) && origin === `http://${host}`;
}

function isJson(headers: RequestHead["headers"]): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headerValue(headers["content-type"]));
}

function headerValue(header: string | readonly string[] | undefined): string {
  return typeof header === "string" ? header : "";
}
