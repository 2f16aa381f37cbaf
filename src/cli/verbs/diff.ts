import { diff, type DiffOptions } from "../../commands/diff.ts";
import type { ComparedVersions } from "../../core/profile-difference.ts";
import { Failure } from "../../core/errors.ts";
import { exitStatus } from "../../core/failures/kind.ts";
import { differenceGroupings } from "../../core/profile-difference.ts";
import type { Arguments } from "../arguments.ts";
import { confirmOf } from "../confirm.ts";
import { renderFigure } from "../print/figure.ts";
import { comparedJson, differenceFigure, differenceTable } from "../../core/difference-figure.ts";
import type { Session } from "../session.ts";
import type { Verb } from "../verb.ts";

/** What people are shown without --limit and --min-share. */
const shownToPeople = { limit: 20, minShare: 0.01 };

export const diffVerb: Verb = {
  name: "diff",
  summary: "show in which functions two profiles or versions differ",
  details: [
    "Two profiles, or two versions, whose profiles are matched by their configurations. Functions are ranked by their share of all that",
    "changed; new and gone ones, renames, and cost that only moved between functions are told apart (docs/diff.md).",
    "",
    "Example: perfkeep diff HEAD~1 HEAD",
    "         perfkeep diff HEAD~1^0@i 0@p --by stack --format csv",
    "",
    "Exit status: 0 compared, whether or not they differ, 3 there is nothing to compare.",
  ].join("\n"),
  operands: [
    { name: "<base>", synopsis: "the older profile (tag, name, REV^tag, object or file) or version" },
    { name: "<target>", synopsis: "the newer one, a profile or version like the first" },
    { name: "[profiles...]", synopsis: "of two versions: only these profiles of the target" },
  ],
  options: [
    { flags: "--by <what>", synopsis: "what costs are compared by", choices: differenceGroupings, default: "function" },
    { flags: "--normalise", synopsis: "compare shares of the whole instead of amounts", also: ["--normalize"] },
    { flags: "--min-share <share>", synopsis: "leave out what is a smaller share of all that changed (default: 1%; json, csv: 0)" },
    { flags: "--limit <count>", synopsis: `at most so many rows of a quantity (default: ${shownToPeople.limit}; json, csv: all)` },
  ],
  formats: ["json", "csv", "markdown", "html"],
  figures: true,
  async run(session, args) {
    await print(session, await diff(session.workspace, optionsOf(session, args)));
    return exitStatus.fine;
  },
};

async function print(session: Session, found: ComparedVersions): Promise<void> {
  const { output, format } = session;
  if (format === "json") output.document("perfkeep.diff/1", { ...found, compared: found.compared.map(comparedJson) });
  else output.data(await renderFigure(session, format === "csv" ? differenceTable(found) : differenceFigure(found), format));
}

function optionsOf(session: Session, args: Arguments): DiffOptions {
  const isWhole = session.format === "json" || session.format === "csv";
  const share = args.text("minShare");
  return {
    base: args.operand(0),
    target: args.operand(1),
    profiles: args.rest(2),
    confirm: confirmOf(session),
    by: differenceGroupings.find((by) => by === args.text("by")) ?? "function",
    isNormalised: args.flag("normalise"),
    minShare: share === undefined ? (isWhole ? 0 : shownToPeople.minShare) : shareOf(share),
    limit: args.count("limit", 1) ?? (isWhole ? Number.POSITIVE_INFINITY : shownToPeople.limit),
  };
}

/** `1%` or `0.01`, from 0 to 1. */
function shareOf(text: string): number {
  const found = /^(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*(%?)$/.exec(text);
  const value = Number(found?.[1] ?? Number.NaN) / (found?.[2] === "%" ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  throw new Failure("bad-option", { option: "--min-share", value: text, expected: "a share such as 5% or 0.05", command: "diff" });
}
