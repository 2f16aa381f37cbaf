/** A TrueType font with a full square for one character, to test which font a picture uses. */
export function tinyFont(character: string): Uint8Array {
  const code = character.codePointAt(0) ?? 0;
  const name = utf16("Tiny");
  // Family and PostScript name, of platform Windows, Unicode, in English.
  const named = (id: number): Uint8Array => words(3, 1, 0x409, id, name.length, 0);
  const square = words(1, 0, 0, 1000, 1000, 3, 0, 0x0101, 0x0101, 0, 1000, 0, -1000, 0, 0, 1000, 0);
  const head = words(
    1,
    0,
    1,
    0,
    0,
    0,
    0x5f0f,
    0x3cf5,
    0,
    1000,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    1000,
    1000,
    0,
    8,
    2,
    0,
    0,
  );
  const tables: readonly (readonly [tag: string, bytes: Uint8Array])[] = [
    ["cmap", words(0, 1, 3, 10, 0, 12, 12, 0, 0, 28, 0, 0, 0, 1, code >> 16, code, code >> 16, code, 0, 1)],
    ["glyf", square],
    ["head", head],
    ["hhea", words(1, 0, 800, -200, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 2)],
    ["hmtx", words(1000, 0, 1000, 0)],
    ["loca", words(0, 0, square.length / 2)],
    ["maxp", words(0, 0x5000, 2)],
    ["name", new Uint8Array([...words(0, 2, 30), ...named(1), ...named(6), ...name])],
  ];
  const directory: Uint8Array[] = [words(1, 0, tables.length, 0, 0, 0)];
  let offset = 12 + 16 * tables.length;
  const data: Uint8Array[] = [];
  for (const [tag, bytes] of tables) {
    directory.push(new TextEncoder().encode(tag), words(0, 0, offset >> 16, offset, 0, bytes.length));
    data.push(bytes, new Uint8Array((4 - (bytes.length % 4)) % 4));
    offset += Math.ceil(bytes.length / 4) * 4;
  }
  return new Uint8Array([...directory, ...data].flatMap((part) => [...part]));
}

function words(...values: readonly number[]): Uint8Array {
  return new Uint8Array(values.flatMap((value) => [(value >> 8) & 0xff, value & 0xff]));
}

function utf16(text: string): Uint8Array {
  return words(...Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
}
