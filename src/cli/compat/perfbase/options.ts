import { Failure } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec } from "../../verb.ts";

/** Options of every perfbase command. */
export const everyOption: readonly OptionSpec[] = [
  { flags: "--dbhost <host>", synopsis: "database server (PB_DBHOST; default: the embedded database)" },
  { flags: "--dbport <port>", synopsis: "port of the server (PB_DBPORT)" },
  { flags: "--dbuser <user>", synopsis: "user of the server (PB_DBUSER)" },
  { flags: "--dbpasswd <password>", synopsis: "refused: use ~/.pgpass or PGPASSWORD" },
  { flags: "--debug", synopsis: "print what is done (PB_RUNMODE=debug)" },
  { flags: "--sqltrace", synopsis: "print what is done" },
];

export const experimentOption: OptionSpec = {
  flags: "-e, --exp <name>",
  synopsis: "experiment (PB_EXPERIMENT)",
  also: ["--experiment"],
};

/** The experiment of the command line or the environment. */
export function namedExperiment(session: Session, args: Arguments): string | undefined {
  return args.text("exp") ?? session.world.environment["PB_EXPERIMENT"];
}

export function requiredExperiment(session: Session, args: Arguments): string {
  const name = namedExperiment(session, args);
  if (name === undefined)
    throw new Failure("bad-usage", { reason: "no experiment is named", command: "perfbase -e NAME, or PB_EXPERIMENT" });
  return name;
}

export function requiredText(args: Arguments, option: string, flag: string): string {
  const text = args.text(option);
  if (text === undefined) throw new Failure("bad-usage", { reason: `${flag} is missing`, command: "perfbase" });
  return text;
}

/** The URL of the given server, with the database `perfbase`; empty without a server. */
export function databaseOf(session: Session, args: Arguments): { readonly database?: string } {
  if (args.text("dbpasswd") !== undefined || session.world.environment["PB_DBPASSWD"] !== undefined)
    throw new Failure("unusable-combination", {
      what: "a password on the command line or in PB_DBPASSWD can be read by others",
      instead: "use ~/.pgpass or PGPASSWORD",
    });
  const { environment } = session.world;
  const host = args.text("dbhost") ?? environment["PB_DBHOST"];
  if (host === undefined) return {};
  const port = args.text("dbport") ?? environment["PB_DBPORT"];
  const user = args.text("dbuser") ?? environment["PB_DBUSER"];
  const who = user === undefined ? "" : `${encodeURIComponent(user)}@`;
  return { database: `postgres://${who}${host}${port === undefined ? "" : `:${port}`}/perfbase` };
}
