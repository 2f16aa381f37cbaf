import {
  changeAccess,
  changeCreators,
  showAccess,
  showCreators,
  type ExperimentAccess,
} from "../../../commands/experiments/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { accessLevels, type AccessChange } from "../../../core/experiments/index.ts";
import { terminalText } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { databaseOf, databaseOption } from "../options.ts";

const operands = [
  {
    name: "<right>",
    synopsis: "read, write, admin (each includes those before it), or create",
    known: [...accessLevels, "create"],
  },
  { name: "<who...>", synopsis: "users of the server; @NAME is a group" },
] as const;
const options = [
  { flags: "-e, --experiment <name>", synopsis: "the experiment (for all rights except create)" },
  databaseOption,
] as const;

/** Subverbs of `perfkeep experiment` for access rights. */
export const accessVerbs: readonly Verb[] = [
  {
    name: "grant",
    summary: "grant users access to an experiment",
    examples: ["perfkeep experiment grant read bob @guests -e io"],
    details: [
      "On a server, rights apply to all programs at once: read allows queries and exports; write also imports and",
      "attached descriptions; admin also changes, deletion and grants. The owner of the schema grants the right to",
      "create experiments. A database file is protected by its permissions; there, names are only recorded.",
    ].join("\n"),
    operands,
    options,
    formats: ["json"],
    run: (session, args) => change(session, args, "grant"),
  },
  {
    name: "revoke",
    summary: "revoke a right to an experiment and the rights that include it",
    examples: ["perfkeep experiment revoke write bob -e io"],
    details: "Owners of the experiment or the schema keep all rights. Members of a group have its rights.",
    operands,
    options,
    formats: ["json"],
    run: (session, args) => change(session, args, "revoke"),
  },
  {
    name: "access",
    summary: "show access rights of an experiment, or who may create experiments",
    examples: ["perfkeep experiment access io"],
    operands: [{ name: "[experiment]", synopsis: "name; without it: who may create experiments" }],
    options: [databaseOption],
    formats: ["json"],
    run: show,
  },
];

async function change(session: Session, args: Arguments, action: AccessChange["action"]): Promise<number> {
  const [right, names, experiment] = [args.operand(0), args.rest(1), args.text("experiment")];
  if (right === "create") {
    if (experiment !== undefined)
      throw new Failure("unusable-combination", {
        what: "the right create does not refer to an experiment",
        instead: "remove -e",
      });
    printCreators(session, await changeCreators(session.workspace, { action, names, ...databaseOf(args) }));
    return exitStatus.fine;
  }
  const level = accessLevels.find((each) => each === right);
  if (level === undefined)
    throw new Failure("unknown-choice", { kind: "right", value: right, choices: [...accessLevels, "create"] });
  if (experiment === undefined) throw new Failure("no-experiment-named");
  printAccess(
    session,
    await changeAccess(session.workspace, { experiment, action, level, names, ...databaseOf(args) }),
  );
  return exitStatus.fine;
}

async function show(session: Session, args: Arguments): Promise<number> {
  const experiment = args.optionalOperand(0);
  const database = args.text("db");
  if (experiment === undefined) printCreators(session, await showCreators(session.workspace, database));
  else printAccess(session, await showAccess(session.workspace, experiment, database));
  return exitStatus.fine;
}

function printAccess(session: Session, access: ExperimentAccess): void {
  const { output } = session;
  if (session.format === "json") {
    output.document("perfkeep.experiment-access/2", access);
    return;
  }
  const line = (right: string, names: readonly string[]): string =>
    names.length === 0 ? "" : `${right}: ${names.map(terminalText).join(", ")}\n`;
  const { owner, admins, writers, readers, unknownRoles } = access;
  output.data(
    [
      `${terminalText(access.experiment)}\n`,
      line("owner", owner === undefined ? [] : [owner]),
      line("admin", admins),
      line("write", writers),
      line("read", readers),
    ].join(""),
  );
  if (unknownRoles.length > 0)
    output.note(`the server has no user or group ${unknownRoles.join(", ")}: grant again once it exists`);
  if (!access.enforced) output.note("this database is a file, protected by its permissions: names are only recorded");
}

function printCreators(session: Session, creators: readonly string[]): void {
  if (session.format === "json") session.output.document("perfkeep.experiment-creators/1", { creators });
  else
    session.output.data(
      `create: ${creators.length === 0 ? "only the owner of the database" : creators.map(terminalText).join(", ")}\n`,
    );
}
