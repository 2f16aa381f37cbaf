import { Failure } from "../../core/failures/index.ts";
import type { Environment } from "./engine.ts";

/** Access to service and password files. */
export interface ServiceFiles {
  exists(path: string): boolean;
  /** The text; undefined if the file is not readable. */
  read(path: string): string | undefined;
  /** True when users other than the owner have any permission. */
  isShared(path: string): boolean;
}

/**
 * The parameters of one service, from PGSERVICEFILE or ~/.pg_service.conf, else from the system's (PGSYSCONFDIR).
 * Format: INI sections, named after the service, of `parameter=value` lines (PostgreSQL's documentation, "The
 * Connection Service File"). Fails with `no-service`.
 */
export function readServices(
  service: string,
  environment: Environment,
  files: ServiceFiles,
): Readonly<Record<string, string>> {
  const own = environment["PGSERVICEFILE"] || `${environment["HOME"] ?? ""}/.pg_service.conf`;
  const all = `${environment["PGSYSCONFDIR"] || "/etc/postgresql-common"}/pg_service.conf`;
  for (const path of [own, all]) {
    const section = sectionOf(files.read(path) ?? "", service);
    if (section !== undefined) return section;
  }
  throw new Failure("no-service", { service, path: own });
}

function sectionOf(text: string, service: string): Readonly<Record<string, string>> | undefined {
  let section: Record<string, string> | undefined;
  let inside = false;
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const title = /^\[(.*)\]$/.exec(line)?.[1];
    if (title !== undefined) {
      if (section !== undefined) return section;
      inside = title === service;
      if (inside) section = {};
    } else if (inside && section !== undefined && !line.startsWith("#")) {
      const equals = line.indexOf("=");
      if (equals > 0) section[line.slice(0, equals).trim()] = line.slice(equals + 1).trim();
    }
  }
  return section;
}

/** Server, database and user of a login. */
export interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** A password (empty when none was found), or why the password file was refused. */
export type Password = { readonly text: string } | { readonly refused: Failure };

/**
 * The password for a login: PGPASSWORD, else the service file's, else the first matching line of PGPASSFILE or
 * ~/.pgpass (`host:port:database:user:password`, `*` matches anything, `\` escapes `:` and `\`: PostgreSQL's
 * documentation, "The Password File"). Refuses a password file that other users can access.
 */
export function findPassword(
  login: Login,
  servicePassword: string | undefined,
  environment: Environment,
  files: ServiceFiles,
): Password {
  const given = environment["PGPASSWORD"] || servicePassword;
  if (given) return { text: given };
  const path = environment["PGPASSFILE"] || `${environment["HOME"] ?? ""}/.pgpass`;
  if (!files.exists(path)) return { text: "" };
  if (files.isShared(path)) return { refused: new Failure("password-file-shared", { path }) };
  return { text: passwordIn(files.read(path) ?? "", login) ?? "" };
}

function passwordIn(text: string, login: Login): string | undefined {
  const expected = [
    login.host.startsWith("/") ? "localhost" : login.host,
    String(login.port),
    login.database,
    login.user,
  ];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = (line.match(/(?:\\.|[^:\\])*(?::|$)/g) ?? []).map((field) => field.replace(/:$/, ""));
    const matches = expected.every((value, index) => fields[index] === "*" || unescape(fields[index] ?? "") === value);
    if (matches && fields[4] !== undefined) return unescape(fields[4]);
  }
  return undefined;
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
