import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byteSpelling, ByteText, decodeInput, type Encoding } from "./text-encoding.ts";
import { LineBuffer, lineBlocks, longestLine } from "./text-lines.ts";

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    if (cut > bytes.length) break;
    yield bytes.slice(at, cut);
    at = cut;
  }
  yield bytes.slice(at);
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: number[] = [];
  for await (const part of source) for (const byte of part) parts.push(byte);
  return Uint8Array.from(parts);
}

async function linesOf(source: AsyncIterable<Uint8Array>): Promise<{ lines: string[]; cut: number }> {
  const lines: string[] = [];
  let cut = 0;
  for await (const block of lineBlocks(source)) {
    cut += block.cut.length;
    expect(block.bytes.at(-1)).toBe(10);
    lines.push(...new ByteText(block.bytes).text.slice(0, -1).split("\n"));
  }
  return { lines, cut };
}

describe("lineBlocks", () => {
  test("matches a naive reference for any chunking", async () => {
    const text = fc
      .array(fc.constantFrom("\n", "a", "bc", "\r\n", " ", "\0"), { maxLength: 60 })
      .map((list) => list.join(""));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat({ max: 80 })), async (whole, cuts) => {
        const expected = whole === "" ? [] : whole.replace(/\n$/, "").split("\n");
        expect((await linesOf(pieces(new TextEncoder().encode(whole), cuts))).lines).toEqual(expected);
      }),
    );
  });

  test("truncates overlong lines and continues after them", async () => {
    const [x, y, z] = ["x".repeat(longestLine + 5), "y".repeat(longestLine), "z".repeat(3 * longestLine)];
    const whole = `short\n${x}\nend\n${y}\n${z}`;
    for (const size of [1000, 65_536, whole.length]) {
      const cuts = Array.from({ length: Math.floor(whole.length / size) }, (_, at) => at * size);
      const { lines, cut } = await linesOf(pieces(new TextEncoder().encode(whole), cuts));
      expect(lines.map((line) => `${line.charAt(0)}${line.length}`)).toEqual([
        "s5",
        `x${longestLine}`,
        "e3",
        `y${longestLine}`,
        `z${longestLine}`,
      ]);
      expect(cut).toBe(2);
    }
  });
});

const utf16 = (text: string, little: boolean): Uint8Array => {
  const units = Array.from(`\ufeff${text}`, (_, at) => `\ufeff${text}`.charCodeAt(at));
  return Uint8Array.from(units.flatMap((unit) => (little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])));
};

describe("withoutMark", () => {
  test("recodes UTF-16 and removes a UTF-8 byte order mark for any chunking", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\u00e4", "\u20ac") });
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat({ max: 20 })), async (each, cuts) => {
        const expected = new TextEncoder().encode(each);
        for (const bytes of [
          utf16(each, true),
          utf16(each, false),
          new TextEncoder().encode(`\ufeff${each}`),
          expected,
        ]) {
          expect(await collect(decodeInput(pieces(bytes, cuts)))).toEqual(expected);
        }
      }),
    );
  });
});

describe("the encoding of an input", () => {
  const units = (text: string, little: boolean): Uint8Array => utf16(text, little).subarray(2);
  const plain = (text: string): Uint8Array => new TextEncoder().encode(text);
  const read = async (bytes: Uint8Array, encoding?: Encoding): Promise<string> =>
    new TextDecoder().decode(await collect(decodeInput(pieces(bytes, [1, 2, 5, 6, 11]), encoding)));

  test("UTF-16 without a byte order mark is detected by its NULs", async () => {
    for (const little of [true, false]) {
      expect(await read(units("size t\n1 2\n", little))).toBe("size t\n1 2\n");
      expect(await read(units("gr\u00f6\u00dfe \u20ac 5\n", little))).toBe("gr\u00f6\u00dfe \u20ac 5\n");
      expect(await read(units("x\n".repeat(9000), little))).toBe("x\n".repeat(9000));
    }
  });
  test("a few NULs, or NULs everywhere, are not UTF-16", async () => {
    for (const text of ["a\0b\n", "\0\0\0\0\0\0\0\0", `${"text ".repeat(20)}\0\0\0\0\0\0`])
      expect(await read(plain(text))).toBe(text);
  });
  test("a given encoding overrides detection", async () => {
    expect(await read(Uint8Array.of(0xe4, 0x3d, 0x35), "latin1")).toBe("\u00e4=5");
    expect(await read(units("ab", true), "utf-16le")).toBe("ab");
    expect(await read(utf16("ab", false), "utf-16be")).toBe("ab");
    expect(await read(units("abcdefgh", true), "utf-8")).toBe([..."abcdefgh"].map((each) => `${each}\0`).join(""));
  });
  test.each([
    ["whole", units("ab", true), "utf-16le", "ab", 0],
    ["an odd byte", units("ab", true).subarray(0, 3), "utf-16le", "a", 1],
    [
      "an odd byte, big end first",
      units("x\n".repeat(3000), false).subarray(0, -1),
      undefined,
      `${"x\n".repeat(2999)}x`,
      1,
    ],
    ["half a pair", units("a\ud83d", true), "utf-16le", "a", 1],
  ] as const)("%s at the end of UTF-16", async (_, bytes, encoding, text, expected) => {
    let halved = 0;
    const read = await collect(decodeInput(pieces(bytes, [1]), encoding, () => (halved += 1)));
    expect([new TextDecoder().decode(read), halved]).toEqual([text, expected]);
  });
  test("lone carriage returns end lines if there are no newlines", async () => {
    expect(await read(plain("a\rb\r"))).toBe("a\nb\n");
    expect(await read(units("size 1\rb 2\r", true))).toBe("size 1\nb 2\n");
    expect(await read(plain("10%\r20%\rdone\r\nb\r\n"))).toBe("10%\r20%\rdone\r\nb\r\n");
  });
});

describe("ByteText", () => {
  test("has one character per byte, and finds words of any script", () => {
    const bytes = Uint8Array.from([...new TextEncoder().encode("gr\u00f6\u00dfe=5\n"), 0xe4, 0]);
    const text = new ByteText(bytes);
    expect(text.text).toHaveLength(bytes.length);
    expect(text.text.indexOf(byteSpelling("\u00f6\u00dfe"))).toBe(2);
    let foreign = 0;
    const onInvalid = (): void => void (foreign += 1);
    expect([text.textBetween(0, 7, onInvalid), foreign]).toEqual(["gr\u00f6\u00dfe", 0]);
    expect([text.textBetween(10, 12, onInvalid), foreign]).toEqual(["\u00e4\\0", 1]);
  });
});

const decode = (bytes: Uint8Array | null): string => (bytes === null ? "" : new TextDecoder().decode(bytes));

test("assembles complete lines from pieces of any size", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ab\n]{0,9}$/), { maxLength: 30 }), (pieces) => {
      const lines = new LineBuffer();
      let out = "";
      for (const piece of pieces) {
        const part = decode(lines.push(new TextEncoder().encode(piece)));
        expect(part === "" || part.endsWith("\n")).toBe(true);
        out += part;
      }
      const text = pieces.join("");
      expect(out + decode(lines.end())).toBe(text === "" || text.endsWith("\n") ? text : `${text}\n`);
    }),
  );
});

test("truncates an endless line to bounded memory", () => {
  const lines = new LineBuffer();
  const piece = new Uint8Array(1 << 18).fill(0x61);
  for (let i = 0; i < 20; i++) expect(lines.push(piece)).toBeNull();
  const [cut, next] = decode(lines.push(new TextEncoder().encode("tail\nb\n"))).split("\n");
  expect([cut?.length, cut?.endsWith("a"), next]).toEqual([longestLine, true, "b"]);
});
