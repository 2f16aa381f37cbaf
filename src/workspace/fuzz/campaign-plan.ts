import type { Run } from "../../core/profiles/index.ts";
import type { Change } from "../../core/verdicts/index.ts";
import type { MutationRule } from "../../formats/mutation/index.ts";
import type { MutationStrategy } from "../../math/sampling/index.ts";
import type { CampaignState, Find } from "./campaign-state.ts";
import type { FuzzFolder } from "./fuzz-folder.ts";
import type { Gauge } from "./gauge.ts";
import type { Ending } from "./run-program.ts";

/** Settings of a campaign session. */
export interface CampaignPlan {
  readonly seed: number;
  readonly rules: readonly MutationRule[];
  readonly strategy: MutationStrategy;
  /** Initial threshold: effort over the effort expected for the size, above which a mutation is worth measuring. */
  readonly rate: number;
  /** Also measure inputs that are slow only because they are large. */
  readonly anyGrowth: boolean;
  /** Maximum size of a mutation in bytes; longer ones are truncated. */
  readonly sizeLimit: number;
  /** A round ends after this many mutations, or once this many are worth measuring. */
  readonly tries: number;
  readonly interesting: number;
  /** The session ends after this many seconds or runs of the program. */
  readonly seconds: number;
  readonly runs: number;
}

/** What a campaign uses of the outside: files, the program, the collector and the clock. */
export interface CampaignWorld {
  readonly folder: FuzzFolder;
  readonly gauge: Gauge;
  run(path: string, secondsLeft: number): Promise<Ending>;
  /** Profiles the command on a file. Fails with `command-timed-out`, `command-failed`. */
  measure(path: string, secondsLeft: number): Promise<Run>;
  judge(baseline: Run, target: Run): readonly Change[];
  /** Milliseconds. */
  now(): number;
  /** Fails with `interrupted` after an interrupt. */
  check(): void;
  /** Called after each step (null) and for each find. */
  report(state: CampaignState, find: Find | null): void;
}
