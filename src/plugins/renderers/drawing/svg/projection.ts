/** A position in the box around a surface: fractions 0..1 of its three axes. */
export type Position = readonly [x: number, y: number, z: number];

/**
 * Parallel projection of the box: rotated by `yaw` degrees around the vertical axis, seen from `pitch` degrees above.
 */
export interface View3d {
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
export function project([x, y, z]: Position, { yaw, pitch, size, left, top }: View3d): [number, number] {
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
}): View3d {
  const [yaw, pitch] = [30, 30];
  const [widest, highest] = [Math.SQRT2, boxHeight * Math.cos(radians(pitch)) + Math.SQRT2 * Math.sin(radians(pitch))];
  const size = Math.max(40, Math.min(room.width / widest, room.height / highest));
  return { yaw, pitch, size, left: room.left + room.width / 2, top: room.top + room.height / 2 };
}

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
