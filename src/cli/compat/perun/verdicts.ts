import { exitStatus } from "../../../core/failures/kind.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { minorOption } from "../../verbs/options.ts";
import { check as perfkeepCheck } from "../../verbs/verdicts/check.ts";
import { fuzz as perfkeepFuzz } from "../../verbs/verdicts/fuzz.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep, refuse, switched, type Refusal } from "./delegate.ts";

/** Perun's fuzz tells what it found and ends with 0 all the same. */
export const fuzz: Verb = {
  ...perfkeepFuzz,
  details: (perfkeepFuzz.details ?? "").replace(/\n\nExit status: [^]*/, ""),
  async run(session, args) {
    const status = (await perfkeepFuzz.run?.(session, args)) ?? exitStatus.fine;
    return status === exitStatus.found ? exitStatus.fine : status;
  },
};

const group: readonly OptionSpec[] = [
  { flags: "-f, --force", synopsis: "profiles: compare them although their configurations differ" },
  {
    flags: "-c, --compute-missing",
    synopsis: "head, all: first measure the versions that lack profiles of the configuration's matrix",
  },
];

const models: OptionSpec = {
  flags: "-m, --models-type <name>",
  synopsis: "profiles: the models to compare of each location",
};

const bestModels: Refusal = {
  flags: "--models-type <name>",
  reason: "of a history the best models are compared",
  instead: "leave it out, or compare two profiles",
};
const nothingToForce: Refusal = {
  flags: "--force",
  reason: "only comparable profiles are compared",
  instead: "leave it out",
};
const nothingToCompute: Refusal = {
  flags: "--compute-missing",
  reason: "both profiles are named",
  instead: "leave it out",
};

/** Perun's check tells what it found and ends with 0 all the same. */
async function ended(status: Promise<number>): Promise<number> {
  const found = await status;
  return found === exitStatus.found || found === exitStatus.inconclusive ? exitStatus.fine : found;
}

function history(name: "head" | "all", summary: string): Verb {
  return {
    name,
    summary,
    operands: [{ name: "[rev]", synopsis: "the version (default: the head)" }],
    options: [...longOnly(group), ...longOnly([models])],
    run(session, args) {
      refuse(args, [bestModels, nothingToForce]);
      const missing = switched("--compute-missing", args.flag("computeMissing"));
      return ended(compare(session, [name, ...missing], [args.maybeOperand(0)]));
    },
  };
}

function compare(
  session: Session,
  words: readonly string[],
  operands: readonly (string | undefined)[],
): Promise<number> {
  return perfkeep(
    session,
    perfkeepCheck,
    [...words, "--compat=perun"],
    operands.filter((word) => word !== undefined),
  );
}

export const check: Verb = {
  name: "check",
  summary: "find what got slower",
  details: groupDetails(
    "With Perun's numbers. The exit status is 0 whether or not something got worse: perfkeep check has one that tells.",
    [...group, models],
  ),
  arrange(words) {
    const { options, operands, rest } = groupWords(words, [...group, models], 1, "perun check");
    return [...operands, ...options, ...rest];
  },
  subverbs: [
    history("head", "compare a version with its nearest predecessor that has comparable profiles"),
    history("all", "do so for every version of the history"),
    {
      name: "profiles",
      summary: "compare two profiles",
      operands: [
        { name: "<baseline>", synopsis: "the older profile" },
        { name: "<target>", synopsis: "the newer profile" },
      ],
      options: [minorOption, ...longOnly(group), ...longOnly([models])],
      run(session, args) {
        refuse(args, [nothingToCompute]);
        const chosen = pairs("--models-type", args.texts("modelsType"));
        const words = [
          "profiles",
          ...switched("--force", args.flag("force")),
          ...pairs("--minor", args.texts("minor")),
          ...chosen,
        ];
        return ended(compare(session, words, [args.operand(0), args.operand(1)]));
      },
    },
  ],
};
