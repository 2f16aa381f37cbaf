import type { OptionSpec } from "../verb.ts";

/** The version a verb works on. */
export const minorOption: OptionSpec = {
  flags: "-m, --minor <rev>",
  synopsis: "the version meant (default: the head)",
  also: ["--minor-version"],
};
