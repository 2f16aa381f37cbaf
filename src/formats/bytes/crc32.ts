const polynomial = 0xedb88320;

/** By position of a byte in eight and by its value (slicing by eight). */
const tables = tablesOf(polynomial);
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
  Uint32Array,
];

function tablesOf(reversed: number): Uint32Array[] {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let check = byte;
    for (let bit = 0; bit < 8; bit++) check = check & 1 ? (check >>> 1) ^ reversed : check >>> 1;
    return check;
  });
  const all = [first];
  for (let at = 1; at < 8; at++)
    all.push((all[at - 1] as Uint32Array).map((check) => (check >>> 8) ^ first[check & 0xff]!));
  return all;
}

/** CRC-32 as in zlib, ZIP and git; `check`: that of the bytes before. */
export function crc32(bytes: Uint8Array, check = 0): number {
  let crc = ~check;
  let at = 0;
  for (const last = bytes.length - 7; at < last; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t7[crc & 0xff]! ^
      t6[(crc >>> 8) & 0xff]! ^
      t5[(crc >>> 16) & 0xff]! ^
      t4[crc >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}
