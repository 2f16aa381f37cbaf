import { exitStatus } from "../../../core/failures/index.ts";
import type { Session } from "../../session.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { minorOption } from "../../verbs/options.ts";
import { check as perfkeepCheck } from "../../verbs/verdicts/check.ts";
import { fuzz as perfkeepFuzz } from "../../verbs/verdicts/fuzz.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { pairs, perfkeep, refuse, switched, type Refusal } from "./delegate.ts";

/** Perun's fuzz exits with 0 whatever it finds. */
export const fuzz: Verb = {
  ...perfkeepFuzz,
  details: (perfkeepFuzz.details ?? "").replace(/\n\nExit status: [^]*/, ""),
  async run(session, args) {
    const status = (await perfkeepFuzz.run?.(session, args)) ?? exitStatus.fine;
    return status === exitStatus.found ? exitStatus.fine : status;
  },
};

const group: readonly OptionSpec[] = [
  { flags: "-f, --force", synopsis: "profiles: compare profiles of different configurations" },
  {
    flags: "-c, --compute-missing",
    synopsis: "head, all: first measure commits without profiles of the configured matrix",
  },
];

const models: OptionSpec = {
  flags: "-m, --models-type <name>",
  synopsis: "profiles: models to compare for each location",
};

const bestModels: Refusal = {
  flags: "--models-type <name>",
  reason: "a history is compared by its best models",
  instead: "use best-model, or compare two profiles",
};
const nothingToForce: Refusal = {
  flags: "--force",
  reason: "only comparable profiles are compared",
  instead: "remove it",
};
const nothingToCompute: Refusal = {
  flags: "--compute-missing",
  reason: "both profiles are named",
  instead: "remove it",
};

/** Perun's check exits with 0 whatever it finds. */
async function withoutVerdict(status: Promise<number>): Promise<number> {
  const result = await status;
  return result === exitStatus.found || result === exitStatus.inconclusive ? exitStatus.fine : result;
}

function history(name: "head" | "all", summary: string): Verb {
  return {
    name,
    summary,
    operands: [{ name: "[rev]", synopsis: "commit (default: HEAD)" }],
    options: [...longOnly(group), ...longOnly([models])],
    run(session, args) {
      refuse(args, [...(args.text("modelsType") === "best-model" ? [] : [bestModels]), nothingToForce]);
      const missing = switched("--compute-missing", args.flag("computeMissing"));
      return withoutVerdict(compare(session, [name, ...missing], [args.optionalOperand(0)]));
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
  summary: "detect regressions",
  details: groupDetails(
    "Uses Perun's numbers and always exits with 0; perfkeep check reports regressions by its exit status.",
    [...group, models],
  ),
  arrange(words) {
    const { options, operands, rest } = groupWords(words, [...group, models], 1, "perun check");
    return [...operands, ...options, ...rest];
  },
  subverbs: [
    history("head", "compare a commit with its nearest ancestor that has comparable profiles"),
    history("all", "compare every commit of the history"),
    {
      name: "profiles",
      summary: "compare two profiles",
      operands: [
        { name: "<baseline>", synopsis: "older profile" },
        { name: "<target>", synopsis: "newer profile" },
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
        return withoutVerdict(compare(session, words, [args.operand(0), args.operand(1)]));
      },
    },
  ],
};
