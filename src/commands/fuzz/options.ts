import type { Settings } from "../../core/values/index.ts";
import { mutationStrategies, type MutationStrategy } from "../../math/sampling/index.ts";
import type { ConfirmCommands } from "../../workspace/config/index.ts";
import type { CheckMethod } from "../verdicts/index.ts";

/** Strategies for the number of mutations per rule. */
export const fuzzStrategies: readonly MutationStrategy[] = mutationStrategies;

/** A collector or postprocessor with its options. */
export interface ChosenPlugin {
  readonly name: string;
  readonly params: Settings;
}

/** Fuzzing options; paths are relative to the current directory. */
export interface FuzzOptions extends CheckMethod {
  /** The path of the input is appended as the last argument. */
  readonly cmd: string;
  /** Files and folders with initial samples. */
  readonly samples: readonly string[];
  readonly only?: string;
  readonly without: readonly string[];
  readonly folder: string;
  readonly collector: ChosenPlugin;
  /** Applied to each profile, in this order. */
  readonly postprocessors: readonly ChosenPlugin[];
  /** Commit to fuzz in a worktree; default: the working tree. */
  readonly minor?: string;
  readonly coverage: { readonly skip: boolean; readonly sources?: string; readonly notes?: string };
  readonly seconds: number;
  readonly runs: number;
  readonly hangSeconds: number;
  readonly allowsFailure: boolean;
  /** Maximum size of mutations; the first given wins: bytes, multiple of the largest sample, bytes above it. */
  readonly size: { readonly most?: number; readonly ratio?: number; readonly increase: number };
  readonly tries: number;
  readonly interesting: number;
  readonly rate: number;
  /** Also report inputs that are slow only because they are large. */
  readonly anyGrowth: boolean;
  readonly strategy: MutationStrategy;
  /** YAML files with user rules: patterns and replacements. */
  readonly ruleFiles: readonly string[];
  readonly seed: number;
  /** Maximum size of the folder, bytes. */
  readonly room: number;
  readonly graphs: boolean;
  /** Require an existing campaign. */
  readonly resume: boolean;
  readonly confirm: ConfirmCommands;
}
