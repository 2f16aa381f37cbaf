import { setConfig } from "../../../commands/configuration/config.ts";
import { status as own } from "../../verbs/profiles/status.ts";
import type { Verb } from "../../verb.ts";
import { perfkeep, switched, withoutCompat } from "./delegate.ts";

/** As with Perun, the order asked for stays: tags such as 0@p count in it from then on. */
export const status: Verb = {
  name: "status",
  summary: "show this version's profiles and the pending ones",
  options: withoutCompat(own),
  async run(session, args) {
    const sort = args.text("sortBy");
    if (sort !== undefined) await setConfig(session.workspace, "local", "format.sort_profiles_by", sort);
    return perfkeep(session, own, [
      "--compat=perun",
      ...switched("--short", args.flag("short")),
      ...(sort === undefined ? [] : [`--sort-by=${sort}`]),
    ]);
  },
};
