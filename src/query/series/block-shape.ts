import type { SampleColumns } from "./measurements.ts";

/** The positions of samples in a block. */
export interface BlockShape extends Pick<SampleColumns, "profiles" | "ends"> {
  /** Samples of subject i are `starts[i]` to before `starts[i + 1]`, in the order of the profiles. */
  readonly starts: Int32Array;
}

/** Most shapes in memory. */
const mostShapes = 6;

const shapes = new Map<string, BlockShape>();

/**
 * The shape of blocks in which each profile has one value of each subject. Equal shapes are usually the same object, so
 * that blocks share it; it must not be changed.
 */
export function regularShape(subjects: number, profiles: number): BlockShape {
  const key = `${subjects} ${profiles}`;
  const known = shapes.get(key);
  if (known !== undefined) return known;
  const shape = newRegularShape(subjects, profiles);
  const [oldest] = shapes.keys();
  if (shapes.size === mostShapes && oldest !== undefined) shapes.delete(oldest);
  shapes.set(key, shape);
  return shape;
}

function newRegularShape(subjects: number, profiles: number): BlockShape {
  const [starts, ends] = [new Int32Array(subjects + 1), new Int32Array(subjects * profiles)];
  const own = new Int32Array(subjects * profiles);
  for (let at = 0; at <= subjects; at++) starts[at] = at * profiles;
  for (let at = 0, profile = 0; at < own.length; at++) {
    own[at] = profile;
    ends[at] = at + 1;
    profile = profile + 1 === profiles ? 0 : profile + 1;
  }
  return { starts, profiles: own, ends };
}

/** Whether a block has the shape of `regularShape`; false for an equal shape that is another object. */
export function isRegular(shape: BlockShape, subjects: number, profiles: number): boolean {
  return shapes.get(`${subjects} ${profiles}`)?.ends === shape.ends;
}
