import { deleteExperiment } from "../../../commands/experiments/delete-experiment.ts";
import { undeleteExperiment } from "../../../commands/experiments/undelete-experiment.ts";
import { isFailure } from "../../../core/failures/failure.ts";
import type { Session } from "../../session.ts";

/**
 * Makes an experiment; with force one that has its name is deleted first, and is there again when the new one cannot be
 * made.
 */
export async function inPlaceOf<T>(
  { workspace }: Session,
  { force, ...place }: { readonly force: boolean; readonly database?: string },
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!force || !isFailure(error, "experiment-exists")) throw error;
    const experiment = String(error.data["experiment"]);
    await deleteExperiment(workspace, { experiment, target: { whole: true }, purge: false, ...place });
    return make().catch(async (reason: unknown) => {
      await undeleteExperiment(workspace, { experiment, force: false, ...place });
      throw reason;
    });
  }
}
