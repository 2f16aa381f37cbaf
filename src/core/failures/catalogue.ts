import { databaseFailures } from "./database.ts";
import { experimentFailures } from "./experiments.ts";
import { importFailures } from "./imports.ts";
import { profileFailures, versionFailures } from "./profiles.ts";
import { figureFailures, queryFailures, verdictFailures } from "./queries.ts";
import { fuzzingFailures, runningFailures } from "./running.ts";
import { scratchFailures, sharingFailures, storeFailures } from "./store.ts";
import { configFailures, usageFailures } from "./usage.ts";
import type { FailureKind } from "./kind.ts";

/** Every expected failure, by its stable code. The built program loads it with the first failure. */
export const catalogue = {
  ...usageFailures,
  ...configFailures,
  ...versionFailures,
  ...storeFailures,
  ...scratchFailures,
  ...sharingFailures,
  ...profileFailures,
  ...runningFailures,
  ...fuzzingFailures,
  ...experimentFailures,
  ...importFailures,
  ...databaseFailures,
  ...queryFailures,
  ...figureFailures,
  ...verdictFailures,
} satisfies Readonly<Record<string, FailureKind>>;
