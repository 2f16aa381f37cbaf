import { hostname, networkInterfaces } from "node:os";
import { timingSafeEqual } from "node:crypto";

/** Method, path and headers of a request; header names in lower case. */
export interface RequestHead {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface AccessPolicy {
  /** Allowed values of the Host header, such as `127.0.0.1:8080`; any other name indicates DNS rebinding. */
  readonly hosts: ReadonlySet<string>;
  readonly token: string;
  /** Cookie name; unique per port, since browsers share cookies between the ports of a host. */
  readonly cookie: string;
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 405 | 415 | 421;
  readonly message: string;
}

/** Paths that need no cookie. */
export const [loginPath, tokenPath] = ["/", "/enter"];

/** Why a request is refused; undefined if it is allowed, which it is with a cookie or on a login path. */
export function checkRequest(head: RequestHead, access: AccessPolicy): Refusal | undefined {
  const { method, headers } = head;
  if (method !== "GET" && method !== "POST") return { status: 405, message: "Only GET and POST are supported." };
  if (!access.hosts.has(headerValue(headers["host"]))) return { status: 421, message: "Unknown host name." };
  if (!isSameOrigin(headers, access)) return { status: 403, message: "Requests from other origins are refused." };
  if (method === "POST" && !isJson(headers)) return { status: 415, message: "Only JSON is accepted." };
  if (isLoginRequest(head) || isAuthenticated(head, access)) return undefined;
  return { status: 401, message: "Open the address printed by perfkeep serve." };
}

/** Whether the request carries the cookie. */
export function isAuthenticated({ headers }: RequestHead, { cookie, token }: AccessPolicy): boolean {
  const pairs = headerValue(headers["cookie"]).split(/; */);
  return pairs.some((pair) => pair.startsWith(`${cookie}=`) && equalsToken(pair.slice(cookie.length + 1), token));
}

/** Constant-time comparison. */
export function equalsToken(word: string, token: string): boolean {
  const [given, wanted] = [new TextEncoder().encode(word), new TextEncoder().encode(token)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function isLoginRequest({ method, path }: RequestHead): boolean {
  return method === "GET" ? path === loginPath : path === tokenPath;
}

/** Browsers send Origin or Sec-Fetch-Site; other programs may send neither. */
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

const loopback = ["127.0.0.1", "::1", "localhost"];

/** Whether the address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return loopback.includes(host);
}

/** Allowed Host headers, with port: a closed list against DNS rebinding. */
export function allowedHosts(host: string, port: number): ReadonlySet<string> {
  const own = isLoopback(host)
    ? loopback
    : isAnyAddress(host)
      ? [hostname(), ...interfaceAddresses(), ...loopback]
      : [host];
  return new Set(own.map((name) => `${name.includes(":") ? `[${name}]` : name.toLowerCase()}:${port}`));
}

function isAnyAddress(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}
