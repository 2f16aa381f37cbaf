import { counted } from "../../../core/text/plural.ts";
import {
  distributeExperiment,
  type Distribution,
  type DistributeOptions,
} from "../../../commands/experiments/administer-experiment.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalText } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

const operands = [{ name: "<experiment>", synopsis: "its name" }] as const;
const dryRun = {
  flags: "-t, --dry-run",
  synopsis: "print the statements, run none; -v prints those that are run",
} as const;
const wayOption = {
  flags: "--with <way>",
  synopsis: "what joins the servers (default: postgres_fdw)",
  choices: ["postgres_fdw", "citus"],
} as const;

/** What spreads the rows of an experiment over several servers. */
export const distributionVerbs: readonly Verb[] = [
  {
    name: "distribute",
    summary: "spread the rows of an experiment over several PostgreSQL servers",
    details: [
      "Each server gets about the same share of many runs. Queries, imports and all else stay as they are: every server sums up its own rows, and only the",
      "sums cross the wire. With other servers than before, the rows move to these. What was interrupted goes on where it was; until the end the",
      "experiment is as before. With the same servers only their logins are renewed. For the owner of the schema; passwords come from ~/.pgpass.",
      "",
      "Example: perfkeep experiment distribute io --over postgres://keeper@db1/parts,postgres://keeper@db2/parts",
    ].join("\n"),
    operands,
    options: [
      { flags: "--over <urls>", synopsis: "the data servers, joined by commas" },
      wayOption,
      dryRun,
      databaseOption,
    ],
    formats: ["json"],
    run: distribute,
  },
  {
    name: "undistribute",
    summary: "bring the rows of an experiment back to one server",
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

function wayOf(args: Arguments): DistributeOptions["way"] {
  return args.text("with") === "citus" ? "citus" : "postgres_fdw";
}

async function apply(
  session: Session,
  args: Arguments,
  options: Pick<DistributeOptions, "over" | "way">,
): Promise<number> {
  const done = await distributeExperiment(session.workspace, {
    experiment: args.operand(0),
    dryRun: args.flag("dryRun"),
    ...options,
    ...databaseOf(args),
  });
  if (session.format === "json") {
    const { way, ...rest } = done;
    session.output.document("perfkeep.experiment-distribution/1", { ...rest, with: way });
    return exitStatus.fine;
  }
  const { output } = session;
  if (done.applied) {
    output.detail(script(done).trimEnd());
    output.data(`${told(done)}\n`);
  } else output.data(script(done));
  return exitStatus.fine;
}

/** The statements as a script, with the place of each where it is another than before. */
function script({ statements }: Distribution): string {
  let place: string | undefined;
  return statements
    .map(({ place: at, sql }) => {
      const comment = at === place ? "" : `-- at ${terminalText(at)}\n`;
      place = at;
      return `${comment}${terminalText(sql.replace(/\s+/g, " "))};\n`;
    })
    .join("");
}

function told({ experiment, servers, moved }: Distribution): string {
  const name = terminalText(experiment);
  if (servers.length === 0) return `${name} lies in one place again`;
  const parts = servers.map(
    ({ place, dataSets }) =>
      `${terminalText(place)}${dataSets === undefined ? "" : ` (${counted(dataSets, "data set")})`}`,
  );
  return moved
    ? `${name} lies on ${parts.join(", ")}`
    : `${name} lies on ${parts.join(", ")} already; their logins were renewed`;
}
