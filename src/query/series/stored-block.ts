import { isRegular, regularShape, type BlockShape } from "./block-shape.ts";
import type { SampleBlock, SampledSubject } from "./sample-block.ts";

/** A block without its subjects, which most blocks of a history have in common. Plain data. */
export interface StoredBlock extends Omit<SampleBlock, "subjects" | keyof BlockShape> {
  /** Names the subjects. */
  readonly subjects: string;
  /** null: regular. */
  readonly shape: BlockShape | null;
}

/** `subjects`: names the subjects of the block. */
export function storedBlock(block: SampleBlock, subjects: string): StoredBlock {
  const { starts, profiles, ends, subjects: own, ...rest } = block;
  const shape = isRegular(block, own.length, block.machines.length) ? null : { starts, profiles, ends };
  return { ...rest, subjects, shape };
}

export function restoredBlock(
  { shape, subjects: _, ...rest }: StoredBlock,
  subjects: readonly SampledSubject[],
): SampleBlock {
  const { starts, profiles, ends } = shape ?? regularShape(subjects.length, rest.machines.length);
  return { ...rest, subjects, starts, profiles, ends };
}
