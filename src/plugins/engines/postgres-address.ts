import { Failure } from "../../core/failures/failure.ts";
import type { Environment } from "./engine.ts";
import { readServices, type ServiceFiles } from "./postgres-service.ts";

/** Where a database is and how to get there. Holds no password. */
export interface Address {
  /** A name or number of a host, or the absolute path of the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** How much of the server TLS proves; "none": no TLS. */
  readonly tls: "none" | "unverified" | "chain" | "full";
  /** PEM files: authorities to trust instead of the usual ones; this client's own certificate and key. */
  readonly authorities?: string;
  readonly certificate?: string;
  readonly key?: string;
  /**
   * Milliseconds until a connection, a lock that somebody else holds, or a statement is given up; without the last:
   * never.
   */
  readonly connectTimeout: number;
  readonly lockTimeout: number;
  readonly statementTimeout?: number;
  /** What the service file says; for logging in only. */
  readonly servicePassword?: string;
  /** What the user must be told of: a protection that was taken off. */
  readonly warnings: readonly string[];
}

/** The parameters of an address, with the variables of libpq that stand in for them. */
const variables = {
  host: "PGHOST",
  port: "PGPORT",
  user: "PGUSER",
  dbname: "PGDATABASE",
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  service: "PGSERVICE",
  connect_timeout: "PGCONNECT_TIMEOUT",
  lock_timeout: undefined,
  statement_timeout: undefined,
} as const;

type Parameter = keyof typeof variables;
type Parameters = Partial<Record<Parameter, string>>;

/**
 * Reads `postgres://[user@][host][:port][/database][?parameter=value…]` and completes it as libpq does: from the
 * service file, then from the environment, then by defaults. Fails with `database-address`, `password-in-address`,
 * `tls-too-weak`.
 */
export function readAddress(url: string, environment: Environment, files: ServiceFiles, account: string): Address {
  const own = readUrl(url);
  const service = own.service ?? environment["PGSERVICE"];
  const served = service === undefined ? {} : readServices(service, environment, files);
  const fallback = (name: Parameter): string | undefined =>
    served[name] ?? (environment[variables[name] ?? ""] || undefined);
  const find = (name: Parameter): string | undefined => own[name] ?? fallback(name);
  const user = find("user") ?? account;
  const port = Number(find("port") ?? 5432);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw problem(url, `'${find("port")}' is no port`);
  const host = find("host") ?? (files.exists(`${socketFolder}/.s.PGSQL.${port}`) ? socketFolder : "localhost");
  if (host.includes(",")) throw problem(url, "it names more than one host");
  const { sslmode } = own;
  return {
    ...protection(host, sslmode, fallback("sslmode")),
    ...given("authorities", find("sslrootcert") === "system" ? undefined : find("sslrootcert")),
    ...given("certificate", find("sslcert")),
    ...given("key", find("sslkey")),
    ...given("statementTimeout", own.statement_timeout === undefined ? undefined : seconds(url, own.statement_timeout)),
    ...given("servicePassword", served["password"]),
    // To libpq 0 means without end, which a script that nobody watches cannot mean.
    connectTimeout: seconds(url, find("connect_timeout")?.replace(/^0$/, "30") ?? "30"),
    // Others that import wait for each other, and large imports take a while.
    lockTimeout: seconds(url, own.lock_timeout ?? "300"),
    host,
    port,
    user,
    database: find("dbname") ?? user,
  };
}

/** Without what a careless user may have put into it: for messages. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?#]*?):[^/?#]*@/i, "$1@").replace(/([?&](?:password|passfile)=)[^&#]*/gi, "$1…");
}

const socketFolder = "/var/run/postgresql";

function given<K extends string, T>(name: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, T>>);
}

function seconds(url: string, text: string): number {
  const value = Number(text) * 1000;
  if (text.trim() === "" || !(value > 0 && value < 2 ** 31)) throw problem(url, `'${text}' is no number of seconds`);
  return Math.ceil(value);
}

function readUrl(url: string): Parameters {
  if (!URL.canParse(url)) throw problem(url, "it has not the form postgres://user@host:port/database");
  const parsed = new URL(url);
  if (parsed.password !== "" || parsed.searchParams.has("password"))
    throw new Failure("password-in-address", { address: withoutPassword(url) });
  const found: Parameters = {};
  const put = (name: Parameter, text: string): void => {
    if (text !== "") found[name] = plain(url, text);
  };
  put("user", parsed.username);
  put("host", parsed.hostname.replace(/^\[(.*)\]$/, "$1"));
  put("port", parsed.port);
  put("dbname", parsed.pathname.slice(1));
  for (const [name, text] of parsed.searchParams) {
    if (!Object.hasOwn(variables, name))
      throw problem(url, `'${name}' is none of ${Object.keys(variables).join(", ")}`);
    put(name as Parameter, encodeURIComponent(text));
  }
  return found;
}

/** A NUL would end a word of the protocol early. */
function plain(url: string, encoded: string): string {
  let text: string;
  try {
    text = decodeURIComponent(encoded);
  } catch {
    throw problem(url, `'${encoded}' holds a % that begins no character`);
  }
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]/.test(text)) throw problem(url, "it holds a control character");
  return text;
}

function problem(url: string, reason: string): Failure {
  return new Failure("database-address", { address: withoutPassword(url), reason });
}

type Protection = Pick<Address, "tls" | "warnings">;

/** By libpq's words for sslmode; and ours for what nobody should do unknowingly. */
const byMode: Readonly<Record<string, Address["tls"]>> = {
  disable: "none",
  allow: "none",
  prefer: "none",
  require: "unverified",
  "verify-ca": "chain",
  "verify-full": "full",
  "insecure-unverified": "unverified",
  "insecure-plain": "none",
};

/**
 * What leaves this machine is encrypted and the server proved, unless the address itself says `insecure-…`. `mode`:
 * what the address says; `fallback`: the environment and the service file, which may ask for more and never for less.
 */
function protection(host: string, mode: string | undefined, fallback: string | undefined): Protection {
  const asked = mode ?? fallback;
  const tls = asked === undefined ? undefined : byMode[asked];
  if (asked !== undefined && tls === undefined)
    throw new Failure("tls-mode", { mode: asked, known: Object.keys(byMode).join(", ") });
  if (isLocal(host)) return { tls: host.startsWith("/") ? "none" : (tls ?? "none"), warnings: [] };
  if (mode === undefined || tls === undefined || tls === "full") return { tls: "full", warnings: [] };
  if (!mode.startsWith("insecure-")) throw new Failure("tls-too-weak", { mode, host });
  return {
    tls,
    warnings: [
      `the connection to ${host} is ${tls === "none" ? "not encrypted" : "encrypted, but nothing proves who answers"} (sslmode=${mode})`,
    ],
  };
}

/** What never leaves this machine. */
function isLocal(host: string): boolean {
  return (
    host.startsWith("/") || host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
  );
}
