import { log as own } from "../../verbs/profiles/log.ts";
import type { Verb } from "../../verb.ts";
import { pairs, perfkeep, switched, withoutCompat } from "./delegate.ts";

export const log: Verb = {
  name: "log",
  summary: "show the history with its profiles",
  operands: own.operands ?? [],
  options: withoutCompat(own),
  run(session, args) {
    const revision = args.maybeOperand(0);
    const options = [
      "--compat=perun",
      ...switched("--short", args.flag("short")),
      ...switched("--with-profiles", args.flag("withProfiles")),
      ...pairs("--limit", args.texts("limit")),
    ];
    return perfkeep(session, own, options, revision === undefined ? [] : [revision]);
  },
};
