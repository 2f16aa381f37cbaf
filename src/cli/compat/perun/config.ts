import { config as own } from "../../verbs/configuration/config.ts";
import type { OptionSpec, Verb } from "../../verb.ts";
import { groupDetails, groupWords, longOnly } from "./command-group.ts";
import { perfkeep, switched } from "./delegate.ts";

const where: readonly OptionSpec[] = [
  { flags: "-l, --local", synopsis: "this instance's configuration" },
  { flags: "-h, --shared", synopsis: "your configuration for all instances" },
  { flags: "-n, --nearest", synopsis: "the first that has the key (default)" },
];

/** Perun's `-l`, `-h` and `-n` stand before get, set, edit and reset. */
export const config: Verb = {
  name: "config",
  summary: "read and change the configuration",
  details: groupDetails("", where),
  arrange(words) {
    const { options, operands, rest } = groupWords(words, where, 1, "perun config");
    return [...operands, ...options, ...rest];
  },
  subverbs: (own.subverbs ?? []).map(({ name, summary, operands = [] }) => ({
    name,
    summary,
    operands,
    options: longOnly(where),
    run: (session, args) =>
      perfkeep(
        session,
        own,
        [
          name,
          ...switched("--local", args.flag("local")),
          ...switched("--shared", args.flag("shared")),
          ...switched("--nearest", args.flag("nearest")),
        ],
        operands.map((_, at) => args.maybeOperand(at)).filter((word) => word !== undefined),
      ),
  })),
};
