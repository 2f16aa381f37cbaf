import { Failure } from "../../core/failures/index.ts";
import type { ShardServer, Environment } from "./engine.ts";
import { readServices, type ServiceFiles } from "./postgres-login-files.ts";

/** Address and connection parameters of a database, without passwords except `servicePassword`. */
export interface Address {
  /** Host name, IP address, or absolute path of the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** What TLS verifies; "none": no TLS. */
  readonly tls: "none" | "unverified" | "chain" | "full";
  /** Paths of PEM files: certificate authorities instead of the default ones; client certificate and key. */
  readonly authorities?: string;
  readonly certificate?: string;
  readonly key?: string;
  /**
   * Timeouts in milliseconds for connecting, waiting for locks, and statements (default: none).
   */
  readonly connectTimeout: number;
  readonly lockTimeout: number;
  readonly statementTimeout?: number;
  /** Password of the service file. */
  readonly servicePassword?: string;
  /** Warnings for the user about disabled protection. */
  readonly warnings: readonly string[];
}

/** Parameters of an address and libpq's corresponding environment variables. */
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
 * Reads `postgres://[user@][host][:port][/database][?parameter=value…]` and completes it like libpq: from the service
 * file, the environment, then defaults. Fails with `database-address`, `password-in-address`, `tls-too-weak`.
 */
export function readAddress(url: string, environment: Environment, files: ServiceFiles, account: string): Address {
  const own = readUrl(url);
  const service = own.service ?? environment["PGSERVICE"];
  const serviceValues = service === undefined ? {} : readServices(service, environment, files);
  const fallback = (name: Parameter): string | undefined =>
    serviceValues[name] ?? (environment[variables[name] ?? ""] || undefined);
  const find = (name: Parameter): string | undefined => own[name] ?? fallback(name);
  const user = find("user") ?? account;
  const port = Number(find("port") ?? 5432);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw problem(url, `'${find("port")}' is not a port`);
  const host = find("host") ?? (files.exists(`${socketFolder}/.s.PGSQL.${port}`) ? socketFolder : "localhost");
  if (host.includes(",")) throw problem(url, "it names more than one host");
  const { sslmode } = own;
  return {
    ...protection(host, sslmode, fallback("sslmode")),
    ...given("authorities", find("sslrootcert") === "system" ? undefined : find("sslrootcert")),
    ...given("certificate", find("sslcert")),
    ...given("key", find("sslkey")),
    ...given("statementTimeout", own.statement_timeout === undefined ? undefined : seconds(url, own.statement_timeout)),
    ...given("servicePassword", serviceValues["password"]),
    // In libpq 0 means no timeout, which is never useful in unattended scripts.
    connectTimeout: seconds(url, find("connect_timeout")?.replace(/^0$/, "30") ?? "30"),
    // Concurrent imports wait for each other, and large ones take minutes.
    lockTimeout: seconds(url, own.lock_timeout ?? "300"),
    host,
    port,
    user,
    database: find("dbname") ?? user,
  };
}

/** The address without passwords, for messages. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^/?#]*?):[^/?#]*@/i, "$1@").replace(/([?&](?:password|passfile)=)[^&#]*/gi, "$1…");
}

const socketFolder = "/var/run/postgresql";

function given<K extends string, T>(name: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, T>>);
}

function seconds(url: string, text: string): number {
  const value = Number(text) * 1000;
  if (text.trim() === "" || !(value > 0 && value < 2 ** 31)) throw problem(url, `'${text}' is not a number of seconds`);
  return Math.ceil(value);
}

function readUrl(url: string): Parameters {
  if (!URL.canParse(url)) throw problem(url, "expected postgres://user@host:port/database");
  const parsed = new URL(url);
  if (parsed.password !== "" || parsed.searchParams.has("password"))
    throw new Failure("password-in-address", { address: withoutPassword(url) });
  const parameters: Parameters = {};
  const set = (name: Parameter, text: string): void => {
    if (text !== "") parameters[name] = decodeComponent(url, text);
  };
  set("user", parsed.username);
  set("host", parsed.hostname.replace(/^\[(.*)\]$/, "$1"));
  set("port", parsed.port);
  set("dbname", parsed.pathname.slice(1));
  for (const [name, text] of parsed.searchParams) {
    if (!Object.hasOwn(variables, name))
      throw problem(url, `'${name}' is none of ${Object.keys(variables).join(", ")}`);
    set(name as Parameter, encodeURIComponent(text));
  }
  return parameters;
}

/** Percent-decodes and refuses control characters: a NUL would end a protocol field early. */
function decodeComponent(url: string, encoded: string): string {
  let text: string;
  try {
    text = decodeURIComponent(encoded);
  } catch {
    throw problem(url, `'${encoded}' contains an invalid percent escape`);
  }
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]/.test(text)) throw problem(url, "it contains a control character");
  return text;
}

function problem(url: string, reason: string): Failure {
  return new Failure("database-address", { address: withoutPassword(url), reason });
}

type Protection = Pick<Address, "tls" | "warnings">;

/** By libpq's sslmode; the `insecure-…` modes are perfkeep's, for explicit opt-in. */
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
 * Requires encryption and a verified server for remote hosts, unless the address selects `insecure-…`. `mode`: of the
 * address; `fallback`: of the service file or environment, which can strengthen but not weaken the default.
 */
function protection(host: string, mode: string | undefined, fallback: string | undefined): Protection {
  const selected = mode ?? fallback;
  const tls = selected === undefined ? undefined : byMode[selected];
  if (selected !== undefined && tls === undefined)
    throw new Failure("tls-mode", { mode: selected, known: Object.keys(byMode).join(", ") });
  if (isLocal(host)) return { tls: host.startsWith("/") ? "none" : (tls ?? "none"), warnings: [] };
  if (mode === undefined || tls === undefined || tls === "full") return { tls: "full", warnings: [] };
  if (!mode.startsWith("insecure-")) throw new Failure("tls-too-weak", { mode, host });
  return {
    tls,
    warnings: [
      `the connection to ${host} is ` +
        `${tls === "none" ? "not encrypted" : "encrypted, but the server is not verified"} (sslmode=${mode})`,
    ],
  };
}

/** True for connections within this machine. */
export function isLocal(host: string): boolean {
  return (
    host.startsWith("/") || host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
  );
}

const sslModes: Readonly<Record<Address["tls"], string>> = {
  none: "disable",
  unverified: "require",
  chain: "verify-ca",
  full: "verify-full",
};

/**
 * libpq options with which another server connects to an address, with the same verification. File paths refer to that
 * server.
 */
export function foreignServerOptions({ host, port, database, tls, authorities }: Address): ShardServer["options"] {
  const verification: ShardServer["options"] =
    tls === "chain" || tls === "full" ? [["sslrootcert", authorities ?? "system"]] : [];
  return [["host", host], ["port", String(port)], ["dbname", database], ["sslmode", sslModes[tls]], ...verification];
}

/** The address of a server with these libpq options, the inverse of `foreignServerOptions`. Timeouts: milliseconds. */
export function addressOfServer(
  options: ReadonlyMap<string, string>,
  timeouts: Pick<Address, "connectTimeout" | "lockTimeout" | "statementTimeout">,
): Address | undefined {
  const [host, port, database, user] = ["host", "port", "dbname", "user"].map((name) => options.get(name));
  const tls = Object.keys(sslModes).find((each) => sslModes[each as Address["tls"]] === options.get("sslmode"));
  if (host === undefined || database === undefined || user === undefined || tls === undefined) return undefined;
  const authorities = options.get("sslrootcert");
  return {
    ...timeouts,
    ...given("authorities", authorities === "system" ? undefined : authorities),
    host,
    port: Number(port),
    database,
    user,
    tls: tls as Address["tls"],
    warnings: [],
  };
}
