import { Failure } from "../../core/failures/failure.ts";
import type { Environment } from "./engine.ts";
import type { ServiceFiles } from "./postgres-service.ts";

/** Where to log in. */
export interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** A password, or why one that may be there was not taken. */
export type Password = { readonly text: string } | { readonly refused: Failure };

/**
 * The password for a login: PGPASSWORD, else the service file's, else the first line of PGPASSFILE or ~/.pgpass that
 * fits (`host:port:database:user:password`, `*` fits all, `\` before `:` and `\`: PostgreSQL's documentation, "The
 * Password File"). A password file that others can open is not read.
 */
export function findPassword(
  login: Login,
  served: string | undefined,
  environment: Environment,
  files: ServiceFiles,
): Password {
  const given = environment["PGPASSWORD"] || served;
  if (given) return { text: given };
  const path = environment["PGPASSFILE"] || `${environment["HOME"] ?? ""}/.pgpass`;
  if (!files.exists(path)) return { text: "" };
  if (files.isShared(path)) return { refused: new Failure("password-file-shared", { path }) };
  return { text: passwordIn(files.read(path) ?? "", login) ?? "" };
}

function passwordIn(text: string, login: Login): string | undefined {
  const wanted = [
    login.host.startsWith("/") ? "localhost" : login.host,
    String(login.port),
    login.database,
    login.user,
  ];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = (line.match(/(?:\\.|[^:\\])*(?::|$)/g) ?? []).map((field) => field.replace(/:$/, ""));
    const fits = wanted.every((want, index) => fields[index] === "*" || unescaped(fields[index] ?? "") === want);
    if (fits && fields[4] !== undefined) return unescaped(fields[4]);
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
