import type { Settings } from "../../core/values/setting.ts";
import { mutationStrategies, type MutationStrategy } from "../../math/sampling/mutation-count.ts";
import type { ConfirmCommands } from "../../workspace/config/trust.ts";
import type { CheckMethod } from "../verdicts/check-methods.ts";

/** How it can be decided how many mutations a rule makes. */
export const fuzzStrategies: readonly MutationStrategy[] = mutationStrategies;

/** A collector or postprocessor with the options given for it. */
export interface ChosenPlugin {
  readonly name: string;
  readonly params: Settings;
}

/** How to fuzz; paths count from where the user stands. */
export interface FuzzOptions extends CheckMethod {
  /** The path of a mutation is its last argument. */
  readonly cmd: string;
  /** Files and folders that mutations start from. */
  readonly samples: readonly string[];
  readonly only?: string;
  readonly without: readonly string[];
  readonly folder: string;
  readonly collector: ChosenPlugin;
  /** Applied to each profile, in this order. */
  readonly postprocessors: readonly ChosenPlugin[];
  /** A version to fuzz in a tree of its own; the tree as it is when absent. */
  readonly minor?: string;
  readonly coverage: { readonly skip: boolean; readonly sources?: string; readonly notes?: string };
  readonly seconds: number;
  readonly runs: number;
  readonly hangSeconds: number;
  readonly allowsFailure: boolean;
  /** The first that is given says how large mutations may become: bytes, times the largest sample, bytes above it. */
  readonly size: { readonly most?: number; readonly ratio?: number; readonly increase: number };
  readonly tries: number;
  readonly interesting: number;
  readonly rate: number;
  /** Inputs that are slow only because they are large are wanted, too. */
  readonly anyGrowth: boolean;
  readonly strategy: MutationStrategy;
  /** Files of rules of the user: YAML of patterns and replacements. */
  readonly ruleFiles: readonly string[];
  readonly seed: number;
  /** Bytes that may be kept in the folder. */
  readonly room: number;
  readonly graphs: boolean;
  /** There has to be a campaign to go on with. */
  readonly resume: boolean;
  readonly confirm: ConfirmCommands;
}
