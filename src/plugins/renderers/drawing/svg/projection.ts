/** A position in the box around a surface: fractions 0..1 of its three axes. */
export type Position = readonly [x: number, y: number, z: number];

/**
 * Parallel projection of the box: rotated by `yaw` degrees around the vertical axis, seen from `pitch` degrees above.
 */
export interface Projection {
  readonly yaw: number;
  readonly pitch: number;
  /** Length of a floor edge, and centre of the box, in pixels. */
  readonly size: number;
  readonly left: number;
  readonly top: number;
}

/** Height of the box relative to the edges of its floor. */
export const boxHeight = 0.65;

/** The pixel of a position. */
export function project([x, y, z]: Position, { yaw, pitch, size, left, top }: Projection): [number, number] {
  const [a, b] = [radians(yaw), radians(pitch)];
  const along = (x - 0.5) * Math.cos(a) - (y - 0.5) * Math.sin(a);
  const away = (x - 0.5) * Math.sin(a) + (y - 0.5) * Math.cos(a);
  return [left + size * along, top - size * ((z - 0.5) * boxHeight * Math.cos(b) + away * Math.sin(b))];
}

/** The largest centred box that fits into `room` at any rotation. */
export function fitView(room: {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}): Projection {
  const [yaw, pitch] = [30, 30];
  const [widest, highest] = [Math.SQRT2, boxHeight * Math.cos(radians(pitch)) + Math.SQRT2 * Math.sin(radians(pitch))];
  const size = Math.max(40, Math.min(room.width / widest, room.height / highest));
  return { yaw, pitch, size, left: room.left + room.width / 2, top: room.top + room.height / 2 };
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** A corner of the floor. */
export interface Corner {
  readonly x: 0 | 1;
  readonly y: 0 | 1;
}

/** The floor and the two rear walls as polygons. */
export function wallsOf({ x, y }: Corner): Position[][] {
  const around: readonly (readonly [number, number])[] = [0, 1, 3, 2].map((corner) => [corner & 1, corner >> 1]);
  return [around.map(([a, b]) => [a, b, 0]), around.map(([a, b]) => [x, a, b]), around.map(([a, b]) => [a, y, b])];
}

/**
 * The nearest, farthest and leftmost corners of the floor in a quadrant of the rotation.
 */
export function cornersOf(yaw: number): Record<"near" | "far" | "left", Corner> {
  const quarter = Math.floor(yaw / 90) * 90 + 45;
  const [sin, cos] = [Math.sin(radians(quarter)), Math.cos(radians(quarter))];
  const far = { x: sin > 0 ? 1 : 0, y: cos > 0 ? 1 : 0 } as const;
  return {
    far,
    near: { x: far.x === 1 ? 0 : 1, y: far.y === 1 ? 0 : 1 },
    left: { x: cos > 0 ? 0 : 1, y: sin > 0 ? 1 : 0 },
  };
}
