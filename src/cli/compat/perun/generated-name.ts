import { readProfile } from "../../../commands/profiles/index.ts";
import { type Confirm, runName } from "../../../workspace/profiles/index.ts";
import type { Session } from "../../session.ts";

/** The name that Perun would give a new profile like this one, without `.perf`: it names files after it. */
export async function generatedName(
  { workspace }: Session,
  source: { readonly profile: string; readonly minor?: string; readonly confirm: Confirm | null },
): Promise<string> {
  const template = (await workspace.config()).text("format.output_profile_template");
  return runName(workspace, await readProfile(workspace, source), template, "").replace(/\.perf$/, "");
}
