import { describedDatabase } from "../../commands/experiments/index.ts";
import { Failure } from "../../core/failures/index.ts";
import type { Arguments } from "../arguments.ts";
import type { Session } from "../session.ts";

/** The database options, else the database of the description. Only the command line or environment select a server. */
export function database(
  session: Session,
  args: Arguments,
  file: string | undefined = args.text("description"),
): string[] {
  const given = addressed(session, args, file);
  if (given.length > 0 || file === undefined || session.world.environment["PERFKEEP_DB"] !== undefined) return given;
  const { path, host } = describedDatabase(session.workspace, file);
  if (host !== undefined)
    throw new Failure("unusable-combination", {
      what: `${file} names a database on ${host}, which requires a login`,
      instead: `add -h ${host} to use it`,
    });
  return path === undefined ? [] : [`--db=${path}`];
}

/**
 * `--db` by -h, -p, -n and -u; empty if these are not given. If the description names the host of -h, its port, name
 * and user are the defaults.
 */
export function addressed(session: Session, args: Arguments, file: string | undefined): string[] {
  const host = args.text("host");
  const described = host === undefined || file === undefined ? {} : describedDatabase(session.workspace, file);
  const server = described.host?.toLowerCase() === host?.toLowerCase() ? described.server : undefined;
  const port = args.text("port") ?? server?.port?.toString();
  const [name, user] = [args.text("database") ?? server?.name, args.text("user") ?? server?.user];
  if (host === undefined) {
    if (port !== undefined || user !== undefined)
      throw new Failure("unusable-combination", {
        what: "-p and -u without a server",
        instead: "add -h HOST",
      });
    return name === undefined ? [] : [`--db=${name}`];
  }
  const who = user === undefined ? "" : `${encodeURIComponent(user)}@`;
  return [
    `--db=postgres://${who}${host}${port === undefined ? "" : `:${port}`}/${encodeURIComponent(name ?? "perfbase")}`,
  ];
}
