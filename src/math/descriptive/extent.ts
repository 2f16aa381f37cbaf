/** Minimum and maximum; Infinity and -Infinity when empty. */
export function extent(values: Float64Array): [least: number, greatest: number] {
  let [least, greatest] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return [least, greatest];
}
