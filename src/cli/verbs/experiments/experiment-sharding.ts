import { counted, terminalText } from "../../../core/text/index.ts";
import { shardExperiment, type ShardingResult, type ShardOptions } from "../../../commands/experiments/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

const operands = [{ name: "<experiment>", synopsis: "name of the experiment" }] as const;
const dryRun = {
  flags: "-t, --dry-run",
  synopsis: "print the statements without running them (-v prints them while running)",
} as const;
const wayOption = {
  flags: "--with <way>",
  synopsis: "extension that connects the servers (default: postgres_fdw)",
  choices: ["postgres_fdw", "citus"],
} as const;

/** Subverbs of `perfkeep experiment` that shard rows over several servers. */
export const distributionVerbs: readonly Verb[] = [
  {
    name: "distribute",
    summary: "shard the rows of an experiment over several PostgreSQL servers",
    details: [
      "Runs are distributed evenly. Queries, imports and all other commands work unchanged: each server aggregates its",
      "own rows, and only aggregates are transferred. With a different list of servers, rows move to the new ones;",
      "with the same list, only logins are renewed. An interrupted command can be repeated; until it succeeds the",
      "experiment is unchanged. Only the owner of the schema can do this; passwords are read from ~/.pgpass.",
      "",
      "Example: perfkeep experiment distribute io --over postgres://keeper@db1/parts,postgres://keeper@db2/parts",
    ].join("\n"),
    operands,
    options: [{ flags: "--over <urls>", synopsis: "data servers, comma-separated" }, wayOption, dryRun, databaseOption],
    formats: ["json"],
    run: distribute,
  },
  {
    name: "undistribute",
    summary: "move the rows of an experiment back to one server",
    examples: ["perfkeep experiment undistribute io"],
    operands,
    options: [wayOption, dryRun, databaseOption],
    formats: ["json"],
    run: (session, args) => apply(session, args, { over: [], way: wayOf(args) }),
  },
];

function distribute(session: Session, args: Arguments): Promise<number> {
  const over = (args.text("over") ?? "").split(",").filter((each) => each !== "");
  if (over.length === 0) throw new Failure("no-data-server");
  return apply(session, args, { over, way: wayOf(args) });
}

function wayOf(args: Arguments): ShardOptions["way"] {
  return args.text("with") === "citus" ? "citus" : "postgres_fdw";
}

async function apply(session: Session, args: Arguments, options: Pick<ShardOptions, "over" | "way">): Promise<number> {
  const done = await shardExperiment(session.workspace, {
    experiment: args.operand(0),
    dryRun: args.flag("dryRun"),
    ...options,
    ...databaseOf(args),
  });
  if (session.format === "json") {
    session.output.document("perfkeep.experiment-distribution/2", shardingJson(done));
    return exitStatus.fine;
  }
  const { output } = session;
  if (done.applied) {
    output.detail(script(done).trimEnd());
    output.report(`${summaryText(done)}\n`);
  } else output.data(script(done));
  return exitStatus.fine;
}

function shardingJson({ way, servers, statements, ...rest }: ShardingResult): object {
  return {
    ...rest,
    method: way,
    servers: servers.map(({ location, rows }) => ({
      location,
      ...(rows === undefined ? {} : { rows }),
    })),
    statements: statements.map(({ location, sql }) => ({ location, sql })),
  };
}

/** The statements as a script, with a comment where the server changes. */
function script({ statements }: ShardingResult): string {
  let current: string | undefined;
  return statements
    .map(({ location: at, sql }) => {
      const comment = at === current ? "" : `-- at ${terminalText(at)}\n`;
      current = at;
      return `${comment}${terminalText(sql.replace(/\s+/g, " "))};\n`;
    })
    .join("");
}

function summaryText({ experiment, servers, moved }: ShardingResult): string {
  const name = terminalText(experiment);
  if (servers.length === 0) return `${name} is on one server again`;
  const shards = servers.map(
    ({ location, rows }) => `${terminalText(location)}${rows === undefined ? "" : ` (${counted(rows, "row")})`}`,
  );
  return moved
    ? `${name} is sharded over ${shards.join(", ")}`
    : `${name} is sharded over ${shards.join(", ")}, as before; logins were renewed`;
}
