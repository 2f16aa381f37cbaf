import { convert as convertDescription } from "../../../commands/experiments/index.ts";
import { profileParts, stackFormats, convertStacks } from "../../../commands/profiles/index.ts";
import { Failure, exitStatus } from "../../../core/failures/index.ts";
import { terminalLines } from "../../../core/text/index.ts";
import type { Arguments } from "../../arguments.ts";
import { confirmOf } from "../../confirm.ts";
import type { Session } from "../../session.ts";
import type { Verb, OptionSpec } from "../../verb.ts";
import { mergedParams } from "../profiles/job-options.ts";
import { convertProfileTo, profileFormats, profileOptions, refuseProfileOptions } from "./convert-profile.ts";

/** Options of conversions of whole profiles. */
const stackOptions: readonly OptionSpec[] = [
  {
    flags: "--from <format>",
    synopsis: "--to of a profile: format of the file (default: auto-detect)",
    means: ["reader"],
  },
  { flags: "--type <name>", synopsis: "--to of a profile: the quantity to write (default: that of the file)" },
  { flags: "--params <yaml>", synopsis: "--to of a profile: options of the reader, or a file with them", repeat: true },
];

/** Writes a stored profile or a file of a profiler in a stack format. */
async function convertStacksTo(session: Session, args: Arguments, to: string): Promise<number> {
  const [unusable] = ["format", "where", "columns", "of", "per", "by", "stat", "subtype", "compat"].filter(
    (name) => args.texts(name).length > 0,
  );
  if (unusable !== undefined) throw usage(`--${unusable} does not apply to --to ${to}`);
  if (args.optionalOperand(1) !== undefined)
    throw usage(`--to ${to} converts a complete profile, not its ${args.optionalOperand(1)}`);
  const { output } = session;
  if (output.toTerminal && to === "pprof")
    throw new Failure("unusable-combination", {
      what: "pprof is binary and cannot be printed on a terminal",
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

/** Fails with `bad-usage` for `stackOptions` without a stack format. */
function refuseStackOptions(args: Arguments): void {
  const unusable = ["from", "type", "params"].find((name) => args.texts(name).length > 0);
  if (unusable !== undefined) throw usage(`--${unusable} needs --to ${stackFormats.join("|")}`);
}

function usage(reason: string): Failure {
  return new Failure("bad-usage", { reason, command: "perfkeep convert" });
}

export const convert: Verb = {
  name: "convert",
  summary: "convert descriptions and profiles to other formats",
  details: [
    "Descriptions of experiments, updates, inputs and queries are converted between text and XML.",
    "",
    "--to folded, pprof, speedscope or perun writes a stored profile or a file of another profiler in that format. The",
    "format of a file is auto-detected: perf script, folded stacks, pprof (also its old formats), .cpuprofile",
    "and .heapprofile of V8, speedscope, callgrind, massif, DHAT, heaptrack, Firefox, Chrome trace events.",
    "",
    "A part of a profile is written as a table with nested values flattened: resources, models, keys (its columns),",
    "values (distinct values of a column), points (a statistic per value of another column), curves (points of",
    "models), stacks (in text: one line per stack, for flame graphs).",
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
      synopsis: "description, profiler output, or profile (tag, name, REV^tag, object or file)",
    },
    {
      name: "[part]",
      synopsis: "part of a profile: resources, models, keys, values, points, curves, stacks",
      known: profileParts,
    },
  ],
  options: [
    {
      flags: "--to <format>",
      synopsis: "profile format, or description syntax (default: the other syntax; XML if the name of -o ends in .xml)",
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
    const part = args.optionalOperand(1);
    if (part === undefined) return printDescription(session, args);
    if (args.text("to") !== undefined || session.format === "xml")
      throw new Failure("unusable-combination", {
        what: "a profile in a description syntax",
        instead: `give --format ${profileFormats.join("|")}`,
      });
    return convertProfileTo(session, args, part);
  },
};

async function printDescription(session: Session, args: Arguments): Promise<number> {
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
