import { Failure } from "../../core/failures/failure.ts";
import type { Environment } from "./engine.ts";

/** The files that a connection may be described in. */
export interface ServiceFiles {
  exists(path: string): boolean;
  /** The content; undefined where there is none to be read. */
  read(path: string): string | undefined;
  /** Whether others than the owner may do anything with it. */
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
    const found = sectionOf(files.read(path) ?? "", service);
    if (found !== undefined) return found;
  }
  throw new Failure("no-service", { service, path: own });
}

function sectionOf(text: string, service: string): Readonly<Record<string, string>> | undefined {
  let found: Record<string, string> | undefined;
  let inside = false;
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const title = /^\[(.*)\]$/.exec(line)?.[1];
    if (title !== undefined) {
      if (found !== undefined) return found;
      inside = title === service;
      if (inside) found = {};
    } else if (inside && found !== undefined && !line.startsWith("#")) {
      const equals = line.indexOf("=");
      if (equals > 0) found[line.slice(0, equals).trim()] = line.slice(equals + 1).trim();
    }
  }
  return found;
}
