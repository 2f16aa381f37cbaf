import { convertStacks, stackFormats } from "../../../commands/profiles/convert-stacks.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalLines } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec } from "../../verb.ts";
import { mergedParams } from "../profiles/job-options.ts";

export { stackFormats };

/** Options of profiles that are written for other programs. */
export const stackOptions: readonly OptionSpec[] = [
  {
    flags: "--from <format>",
    synopsis: "--to of a profile: what the file is (default: as its first bytes tell)",
    means: ["reader"],
  },
  { flags: "--type <name>", synopsis: "--to of a profile: the quantity that is wanted (default: the file's own)" },
  { flags: "--params <yaml>", synopsis: "--to of a profile: options of the reader, or a file with them", repeat: true },
];

/** Writes a profile, stored or of another program, in a format of stacks. */
export async function convertStacksTo(session: Session, args: Arguments, to: string): Promise<number> {
  const [stray] = ["format", "where", "columns", "of", "per", "by", "stat", "subtype", "compat"].filter(
    (name) => args.texts(name).length > 0,
  );
  if (stray !== undefined) throw usage(`--${stray} says nothing of --to ${to}`);
  if (args.maybeOperand(1) !== undefined)
    throw usage(`--to ${to} is of a whole profile, not of its ${args.maybeOperand(1)}`);
  const { output } = session;
  if (output.toTerminal && to === "pprof")
    throw new Failure("unusable-combination", {
      what: "pprof is nothing to read on a terminal",
      instead: "give -o FILE.pb.gz",
    });
  const [from, type, minor] = ["from", "type", "minor"].map((name) => args.text(name));
  const options = {
    ...(from === undefined ? {} : { from }),
    ...(type === undefined ? {} : { type }),
    ...(minor === undefined ? {} : { minor }),
  };
  await convertStacks(
    session.workspace,
    {
      profile: args.operand(0),
      to,
      params: mergedParams(session, args.texts("params")),
      confirm: confirmOf(session),
      ...options,
    },
    (piece) => output.data(output.toTerminal && typeof piece === "string" ? terminalLines(piece) : piece),
  );
  return exitStatus.fine;
}

/** Fails with `bad-usage` for options of stacks where something else is converted. */
export function refuseStackOptions(args: Arguments): void {
  const stray = ["from", "type", "params"].find((name) => args.texts(name).length > 0);
  if (stray !== undefined) throw usage(`--${stray} needs --to ${stackFormats.join("|")}`);
}

function usage(reason: string): Failure {
  return new Failure("bad-usage", { reason, command: "perfkeep convert" });
}
