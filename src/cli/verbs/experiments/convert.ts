import { convert as convertDescription } from "../../../commands/experiments/print-description.ts";
import { profileParts } from "../../../commands/profiles/convert-profile.ts";
import { stackFormats, convertStacks } from "../../../commands/profiles/convert-stacks.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { exitStatus } from "../../../core/failures/kind.ts";
import { terminalLines } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import type { Session } from "../../session.ts";
import type { Verb, OptionSpec } from "../../verb.ts";
import { mergedParams } from "../profiles/job-options.ts";
import { convertProfileTo, profileFormats, profileOptions, refuseProfileOptions } from "./convert-profile.ts";

/** Options of profiles that are written for other programs. */
const stackOptions: readonly OptionSpec[] = [
  {
    flags: "--from <format>",
    synopsis: "--to of a profile: what the file is (default: as its first bytes tell)",
    means: ["reader"],
  },
  { flags: "--type <name>", synopsis: "--to of a profile: the quantity that is wanted (default: the file's own)" },
  { flags: "--params <yaml>", synopsis: "--to of a profile: options of the reader, or a file with them", repeat: true },
];

/** Writes a profile, stored or of another program, in a format of stacks. */
async function convertStacksTo(session: Session, args: Arguments, to: string): Promise<number> {
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
function refuseStackOptions(args: Arguments): void {
  const stray = ["from", "type", "params"].find((name) => args.texts(name).length > 0);
  if (stray !== undefined) throw usage(`--${stray} needs --to ${stackFormats.join("|")}`);
}

function usage(reason: string): Failure {
  return new Failure("bad-usage", { reason, command: "perfkeep convert" });
}

export const convert: Verb = {
  name: "convert",
  summary: "write a description in the other spelling, or a profile for other programs",
  details: [
    "A description of an experiment, of an update, of an input or of a query is read as text or as XML, and written as XML or as text.",
    "",
    "With --to folded, pprof, speedscope or perun a profile, of a file of another profiler or stored, is written for other programs. Its format is known",
    "by the first bytes: perf script, folded stacks, pprof and its old forms, .cpuprofile and .heapprofile of V8, speedscope, callgrind, massif, DHAT,",
    "heaptrack, Firefox, trace events of Chrome.",
    "",
    "Of a profile a part is written as a table, nested values taken apart: resources, models, keys (its columns), values (the different contents of one),",
    "points (a statistic for each content of another column), curves (points of models), stacks (as text: one line a stack, for flame graphs).",
    "",
    "Examples: perfkeep convert latency.exp --to xml",
    "          perf script | perfkeep convert - --to folded | flamegraph.pl > flame.svg",
    "          perfkeep convert 0@i --to pprof -o profile.pb.gz",
    "          perfkeep convert 0@i resources -w 'uid:function=main' -o rows.csv",
    "          perfkeep convert 0@i points --per snapshot --by uid:function --stat max --format ndjson",
    "          perfkeep convert 0@i stacks | flamegraph.pl > flame.svg",
  ].join("\n"),
  operands: [
    {
      name: "<source>",
      synopsis: "the file of a description or of a profiler, or a profile: a tag, a name, REV^tag, an object, a file",
    },
    {
      name: "[part]",
      synopsis: "of a profile: resources, models, keys, values, points, curves, stacks",
      known: profileParts,
    },
  ],
  options: [
    {
      flags: "--to <format>",
      synopsis:
        "the format of a profile, or the spelling of a description (default: the other one, or XML for a file of -o that ends in .xml)",
      choices: ["exp", "text", "xml", ...stackFormats],
    },
    ...stackOptions,
    ...profileOptions,
  ],
  formats: ["xml", ...profileFormats],
  async run(session, args) {
    const to = args.text("to");
    if (to !== undefined && stackFormats.includes(to)) return convertStacksTo(session, args, to);
    refuseStackOptions(args);
    const part = args.maybeOperand(1);
    if (part === undefined) return spell(session, args);
    if (args.text("to") !== undefined || session.format === "xml")
      throw new Failure("unusable-combination", {
        what: "a profile in the spelling of a description",
        instead: `give --format ${profileFormats.join("|")}`,
      });
    return convertProfileTo(session, args, part);
  },
};

async function spell(session: Session, args: Arguments): Promise<number> {
  refuseProfileOptions(args);
  if (profileFormats.includes(session.format))
    throw new Failure("unusable-combination", {
      what: `a description as ${session.format}`,
      instead: "give --to text or --to xml, or name a part of a profile",
    });
  const wanted = args.text("to") ?? args.text("format") ?? (session.format === "xml" ? "xml" : undefined);
  const spelling = wanted === "xml" ? "xml" : "text";
  const text = convertDescription(session.workspace, {
    file: args.operand(0),
    ...(wanted === undefined ? {} : { to: spelling }),
  });
  session.output.data(session.output.toTerminal ? terminalLines(text) : text);
  return 0;
}
