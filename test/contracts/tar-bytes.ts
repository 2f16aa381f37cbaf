/** One member of a tar archive, byte for byte: for archives that no honest program writes. */
export interface TarMember {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The letter of its kind; "0" is a plain file. */
  readonly type?: string;
  readonly link?: string;
  /** Told instead of the length of the bytes. */
  readonly size?: number;
}

const block = 512;

export function tarBytes(members: readonly TarMember[]): Buffer {
  return Buffer.concat([
    ...members.flatMap(({ bytes, ...head }) => [header(head, bytes.length), padded(bytes)]),
    Buffer.alloc(2 * block),
  ]);
}

export function tarMembers(tar: Uint8Array): TarMember[] {
  const members: TarMember[] = [];
  const bytes = Buffer.from(tar);
  for (let at = 0; bytes[at] !== 0;) {
    const size = parseInt(bytes.toString("latin1", at + 124, at + 135), 8);
    const name = bytes.toString("latin1", at, at + 100).replace(/\0.*$/s, "");
    members.push({ name, bytes: bytes.subarray(at + block, at + block + size) });
    at += block + Math.ceil(size / block) * block;
  }
  return members;
}

function header({ name, type = "0", link = "", size }: Omit<TarMember, "bytes">, length: number): Buffer {
  const head = Buffer.alloc(block);
  head.write(name, 0, 100);
  head.write("0000644\x000000000\x000000000\x00", 100);
  head.write(`${(size ?? length).toString(8).padStart(11, "0")}\0`, 124);
  head.write("00000000000\0        ", 136);
  head.write(type, 156);
  head.write(link, 157, 100);
  head.write("ustar\x0000", 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return head;
}

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((block - (bytes.length % block)) % block)]);
}
