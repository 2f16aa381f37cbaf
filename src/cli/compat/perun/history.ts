import { setConfig } from "../../../commands/configuration/index.ts";
import type { Verb } from "../../verb.ts";
import { log as perfkeepLog } from "../../verbs/profiles/log.ts";
import { status as perfkeepStatus } from "../../verbs/profiles/status.ts";
import { perfkeep, switched, withoutCompat, pairs } from "./delegate.ts";

export const log: Verb = {
  name: "log",
  summary: "show commit history with profiles",
  operands: perfkeepLog.operands ?? [],
  options: withoutCompat(perfkeepLog),
  run(session, args) {
    const revision = args.optionalOperand(0);
    const options = [
      "--compat=perun",
      ...switched("--short", args.flag("short")),
      ...switched("--with-profiles", args.flag("withProfiles")),
      ...pairs("--limit", args.texts("limit")),
    ];
    return perfkeep(session, perfkeepLog, options, revision === undefined ? [] : [revision]);
  },
};

/** Like Perun, stores the order: tags such as 0@p refer to it from then on. */
export const status: Verb = {
  name: "status",
  summary: "show registered and pending profiles of the current commit",
  options: withoutCompat(perfkeepStatus),
  async run(session, args) {
    const sort = args.text("sortBy");
    if (sort !== undefined) await setConfig(session.workspace, "local", "format.sort_profiles_by", sort);
    return perfkeep(session, perfkeepStatus, [
      "--compat=perun",
      ...switched("--short", args.flag("short")),
      ...(sort === undefined ? [] : [`--sort-by=${sort}`]),
    ]);
  },
};
