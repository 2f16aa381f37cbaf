/** A place in the box around a surface: shares 0..1 of its three axes. */
export type Place = readonly [x: number, y: number, z: number];

/**
 * How the box is seen from afar (parallel lines stay parallel): turned by `yaw` degrees around the upright axis, from
 * `pitch` above.
 */
export interface Sight {
  readonly yaw: number;
  readonly pitch: number;
  /** Pixels of an edge of the floor, and where the middle of the box is. */
  readonly size: number;
  readonly left: number;
  readonly top: number;
}

/** Height of the box, its floor being 1 by 1. */
export const boxHeight = 0.65;

/** The pixel of a place. */
export function project([x, y, z]: Place, { yaw, pitch, size, left, top }: Sight): [number, number] {
  const [a, b] = [radians(yaw), radians(pitch)];
  const along = (x - 0.5) * Math.cos(a) - (y - 0.5) * Math.sin(a);
  const away = (x - 0.5) * Math.sin(a) + (y - 0.5) * Math.cos(a);
  return [left + size * along, top - size * ((z - 0.5) * boxHeight * Math.cos(b) + away * Math.sin(b))];
}

/** The largest box that fits into a room of this size however it is turned, its middle in the middle of the room. */
export function sightInto(room: {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}): Sight {
  const [yaw, pitch] = [30, 30];
  const [widest, highest] = [Math.SQRT2, boxHeight * Math.cos(radians(pitch)) + Math.SQRT2 * Math.sin(radians(pitch))];
  const size = Math.max(40, Math.min(room.width / widest, room.height / highest));
  return { yaw, pitch, size, left: room.left + room.width / 2, top: room.top + room.height / 2 };
}

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
