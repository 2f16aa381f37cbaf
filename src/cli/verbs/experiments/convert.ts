import { convert as convertDescription } from "../../../commands/experiments/convert-description.ts";
import { profileParts } from "../../../commands/profiles/convert-profile.ts";
import { Failure } from "../../../core/failures/failure.ts";
import { terminalLines } from "../../../core/text/terminal-text.ts";
import type { Arguments } from "../../arguments.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { convertStacksTo, refuseStackOptions, stackFormats, stackOptions } from "./convert-stacks.ts";
import { convertProfileTo, profileFormats, profileOptions, refuseProfileOptions } from "./convert-profile.ts";

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
