/** A file of an archive. Names are ASCII. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const polynomial = 0xedb88320;
const checks = Uint32Array.from({ length: 256 }, (_, byte) => {
  let check = byte;
  for (let bit = 0; bit < 8; bit++) check = check & 1 ? (check >>> 1) ^ polynomial : check >>> 1;
  return check;
});

/** 1980-01-01, the earliest date of an archive: output is deterministic. */
const date = 0x0021;

/** A ZIP archive of stored entries in their order (PKWARE's APPNOTE, 4.3). */
export function zipArchive(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, bytes: file } of entries) {
    const bytes = new TextEncoder().encode(name);
    const facts = [20, 0, 0, 0, date] as const;
    const sizes = [crc32(file), file.length, file.length] as const;
    const local = record(0x04034b50, [...facts], [...sizes], [bytes.length, 0]);
    directory.push(record(0x02014b50, [20, ...facts], [...sizes], [bytes.length, 0, 0, 0, 0], [0, at]), bytes);
    parts.push(local, bytes, file);
    at += local.length + bytes.length + file.length;
  }
  const size = lengthOf(directory);
  const end = record(0x06054b50, [0, 0, entries.length, entries.length], [size, at], [0]);
  return joined([...parts, ...directory, end]);
}

/** A header record, little endian: a signature, then numbers of two, four, two and four bytes. */
function record(signature: number, ...groups: readonly (readonly number[])[]): Uint8Array {
  const width = (group: number): number => (group % 2 === 0 ? 2 : 4);
  const view = new DataView(new ArrayBuffer(4 + groups.reduce((sum, group, at) => sum + group.length * width(at), 0)));
  view.setUint32(0, signature, true);
  let position = 4;
  groups.forEach((group, at) => {
    for (const number of group) {
      if (width(at) === 2) view.setUint16(position, number, true);
      else view.setUint32(position, number, true);
      position += width(at);
    }
  });
  return new Uint8Array(view.buffer);
}

function crc32(bytes: Uint8Array): number {
  let check = 0xffffffff;
  for (const byte of bytes) check = (checks[(check ^ byte) & 0xff] ?? 0) ^ (check >>> 8);
  return (check ^ 0xffffffff) >>> 0;
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
