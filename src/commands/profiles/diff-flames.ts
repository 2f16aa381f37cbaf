import { Failure } from "../../core/failures/index.ts";
import type { Block, Figure } from "../../core/figures/index.ts";
import type { Run } from "../../core/profiles/index.ts";
import {
  comparedGraphs,
  tracedStacks,
  type ComparedShape,
  type RepeatedStacks,
  differenceBlocks,
  type DifferenceLook,
} from "../../query/flame/index.ts";
import { quantitiesIn, type ColumnValue, runWithRows } from "../../query/profile/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type PairRequest, pairedProfiles, type ProfilePair, type UnreadProfile } from "./pair-profiles.ts";
import { areOtherMachines } from "./profile-differences.ts";

/** How a difference is drawn. */
export interface ComparedFlames {
  readonly shape: ComparedShape;
  readonly look: DifferenceLook;
  /** Show the graphs of both profiles above the difference. */
  readonly withBoth: boolean;
}

export interface DiffFlamesOptions extends PairRequest {
  /** Only rows with one of these values; empty: all. */
  readonly only: readonly ColumnValue[];
  readonly flames: ComparedFlames;
}

/**
 * Draws the difference of two profiles, or of two commits, as flame graphs: red frames grew, blue ones shrank. Fails
 * with `nothing-to-compare` if no pair has stacks, and like `pairedProfiles`, `comparedGraphs`, `differenceBlocks`.
 */
export async function diffFlames(workspace: Workspace, options: DiffFlamesOptions): Promise<Figure> {
  const { pairs, onlyBase, onlyTarget } = await pairedProfiles(workspace, options);
  const drawn: Block[][] = [];
  for (const pair of pairs) drawn.push(await pairBlocks(pair, options, pairs.length > 1));
  const title = `${options.base} -> ${options.target}`;
  const blocks = drawn.flat();
  const alone = [
    ...onlyBase.map((name) => `only in the base: ${name}`),
    ...onlyTarget.map((name) => `only in the target: ${name}`),
  ];
  if (blocks.some(({ kind }) => kind === "flame"))
    return { title, blocks: alone.length === 0 ? blocks : [...blocks, { kind: "text", text: alone.join("\n") }] };
  const what = `the profiles of ${options.base} and ${options.target} have no stacks for a flame graph`;
  throw new Failure("nothing-to-compare", { what, instead: "perfkeep diff without a view compares them in a table" });
}

async function pairBlocks(
  { base, target }: ProfilePair,
  options: DiffFlamesOptions,
  isOneOfMany: boolean,
): Promise<Block[]> {
  const [before, after] = [await loaded(base, options), await loaded(target, options)];
  const graphs = quantitiesOf(before, after, options.flames.shape.of).flatMap((of) =>
    graphsOf(before, after, of, options.flames),
  );
  const others = before.run !== null && after.run !== null && areOtherMachines(before.run, after.run);
  const lacks = graphs.length === 0;
  const head = [
    ...(isOneOfMany || lacks
      ? [`${base.profile} -> ${target.profile}${lacks ? ": no stacks for a flame graph" : ""}`]
      : []),
    ...(others ? ["note: the two profiles were measured on different machines"] : []),
  ];
  return [...(head.length === 0 ? [] : [{ kind: "text", text: head.join("\n") } as const]), ...graphs];
}

/** The requested quantity, else all common ones; undefined: the main one. */
function quantitiesOf(
  { run: base }: Loaded,
  { run: target }: Loaded,
  wanted: string | undefined,
): (string | undefined)[] {
  if (wanted !== undefined || base === null || target === null) return [wanted];
  const others = quantitiesIn(target.data);
  const shared = quantitiesIn(base.data).filter((name) => others.includes(name));
  return shared.length > 1 ? shared : [wanted];
}

function graphsOf(base: Loaded, target: Loaded, of: string | undefined, { shape, ...flames }: ComparedFlames): Block[] {
  const [before, after] = [base.stacksOf(of), target.stacksOf(of)];
  if (before === null || after === null) return [];
  return flameBlocks(before, after, { ...flames, shape: of === undefined ? shape : { ...shape, of } });
}

/** The difference graph, below both graphs with `withBoth`. */
export function flameBlocks(
  base: RepeatedStacks,
  target: RepeatedStacks,
  { shape, look, withBoth }: ComparedFlames,
): Block[] {
  const graphs = comparedGraphs(base, target, shape);
  if (!withBoth) return differenceBlocks(...graphs, look);
  const { quantity } = graphs[1];
  const { intensity: _, normalised: __, widths: ___, ...plain } = look;
  const both = graphs.map((graph, at): Block => {
    const side = at === 0 ? "Base" : "Target";
    if (graph.total[0] === 0) return { kind: "text", text: `${side}: nothing of ${graph.focus ?? quantity}` };
    return { kind: "flame", graph, ...plain, caption: `${side}: ${quantity}` };
  });
  return [...both, ...differenceBlocks(...graphs, { ...look, caption: `Difference: ${quantity}` })];
}

interface Loaded {
  /** null: a foreign profile, of which only stacks were read. */
  readonly run: Run | null;
  /** null: no stacks. */
  stacksOf(quantity: string | undefined): RepeatedStacks | null;
}

async function loaded(profile: UnreadProfile, { only }: DiffFlamesOptions): Promise<Loaded> {
  if (profile.stacks !== undefined && only.length === 0) {
    const stacks = await profile.stacks();
    return { run: null, stacksOf: () => ({ stacks, repetitions: 1 }) };
  }
  const run = runWithRows(await profile.run(), only);
  return { run, stacksOf: (quantity) => tracedStacks(run, quantity) };
}
