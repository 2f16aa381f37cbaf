import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure, isFailure } from "../../core/failures/failure.ts";
import { readJsonStream, type JsonStream } from "./json-stream.ts";
import { NumberList } from "../bytes/number-list.ts";

const refuse = (reason: string): Failure => new Failure("bad-stack-profile", { file: "f", format: "x", reason });

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function read<T>(text: string, size: number, walk: (json: JsonStream) => Promise<T>): Promise<T> {
  return readJsonStream(pieces(new TextEncoder().encode(text), size), refuse, walk);
}

/** Reads the value with all methods of a stream. */
async function walked(json: JsonStream, depth = 0): Promise<unknown> {
  if (depth > 1) return json.value();
  const list: unknown[] = [];
  if (!(await json.isList())) return json.value();
  if (depth === 0) await json.each("it", async () => void list.push(await walked(json, 1)));
  else await json.elements("it", (values) => void list.push(...values));
  return list;
}

async function members(json: JsonStream): Promise<unknown> {
  const found: Record<string, unknown> = {};
  await json.members("it", async (key) => {
    const value = await walked(json);
    Object.defineProperty(found, key, { value, enumerable: true, configurable: true });
  });
  return found;
}

async function numbers(json: JsonStream): Promise<number[]> {
  const list = new NumberList();
  await json.numbers("'n'", list);
  return Array.from({ length: list.length }, (_, at) => list.at(at));
}

const sizes = fc.constantFrom(1, 2, 3, 7, 64, 100_000);
const spaces = fc.constantFrom("", " ", "\t", 1);

test("any document reads like JSON.parse for any chunking", async () => {
  const document = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })),
    fc.array(fc.jsonValue()),
  );
  await fc.assert(
    fc.asyncProperty(
      document,
      sizes,
      spaces,
      fc.constantFrom("", "\uFEFF", "\n"),
      async (value, size, space, before) => {
        const text = JSON.stringify(value, null, space);
        const all = Array.isArray(value) ? walked : members;
        expect(await read(`${before}${text}\n `, size, all)).toEqual(JSON.parse(text));
        expect(await read(text, size, (json) => json.value())).toEqual(JSON.parse(text));
        await read(text, size, (json) => json.skip());
      },
    ),
  );
});

test("damaged documents are refused exactly if JSON.parse refuses them", async () => {
  const document = '{"a": [1, {"b": "x\\"]"}, [2]], "c": [[1, 2], "é\\\\", 3], "d": null}';
  const change = fc.record({
    at: fc.nat(document.length),
    cut: fc.nat(2),
    put: fc.constantFrom("", "]", "}", ",", '"', "\\", "[", "{", "0", "-", "\0"),
  });
  await fc.assert(
    fc.asyncProperty(change, sizes, async ({ at, cut, put }, size) => {
      const text = document.slice(0, at) + put + document.slice(at + cut);
      const whole = attempt(() => Promise.resolve(JSON.parse(text) as unknown));
      for (const walk of [members, (json: JsonStream) => json.value()]) {
        const [expected, found] = [await whole, await attempt(() => read(text, size, walk))];
        if (expected instanceof Error) expect(isFailure(found, "bad-stack-profile"), text).toBe(true);
        else if (!isFailure(found) || !/ is no |twice/.test(found.message)) expect(found).toEqual(expected);
      }
    }),
    { numRuns: 2000 },
  );
});

async function attempt(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    return error;
  }
}

test("numbers in all spellings", async () => {
  const spelt = fc
    .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger())
    .map((number) => JSON.stringify(number));
  await fc.assert(
    fc.asyncProperty(fc.array(spelt), sizes, fc.constantFrom(",", " ,\n "), async (all, size, separator) => {
      const text = `[ ${all.join(separator)} ]`;
      expect(await read(text, size, numbers)).toEqual((JSON.parse(text) as number[]).map((each) => each + 0));
    }),
  );
});

test.each([
  "[1,]",
  "[01]",
  "[1 2]",
  "[,1]",
  "[1.]",
  "[-]",
  '["1"]',
  "[1e999]",
  "[[1]]",
  "[null]",
  `[${"1".repeat(1000)}]`,
])("%s is not a list of numbers", async (text) => {
  await expect(read(text, 2, numbers)).rejects.toThrow("an element of 'n' is not a number");
});

test.each(["[1", "[1,", "[", "[1]]", "[1] 2", "", " "])("%j is refused as an incomplete document", async (text) => {
  await expect(read(text, 2, numbers)).rejects.toThrow("it is invalid or truncated JSON");
});

test("an open list ends with a comma or with the document", async () => {
  const open = async (text: string, size: number, mayBeOpen = true): Promise<unknown> => {
    const list: unknown[] = [];
    await read(text, size, (json) => json.elements("it", (values) => void list.push(...values), mayBeOpen));
    return list;
  };
  for (const size of [1, 3, 100]) {
    for (const text of ['[{"a":1},2]', '[{"a":1},2,]', '[{"a":1},2,\n', '[{"a":1},2', '[{"a":1},2 ,\n] ']) {
      expect(await open(text, size)).toEqual([{ a: 1 }, 2]);
      if (text !== '[{"a":1},2]') await expect(open(text, size, false)).rejects.toThrow("truncated JSON");
    }
    for (const text of ['[{"a":1},{"a"', "[1,,", "[,", "[1}", '["a'])
      await expect(open(text, size)).rejects.toThrow("truncated JSON");
    expect([await open("[", size), await open("[]", size)]).toEqual([[], []]);
  }
});

test("duplicate and unterminated keys are refused", async () => {
  await expect(read('{"a":1,"a":2}', 5, members)).rejects.toThrow("it has 'a' twice");
  await expect(read(`{"${"a".repeat(200_000)}":1}`, 1000, members)).rejects.toThrow("truncated JSON");
  expect(Object.keys((await read('{"__proto__":{"x":1}}', 5, members)) as object)).toEqual(["__proto__"]);
});

test("the source is closed when reading fails", async () => {
  let isClosed = false;
  const source = (async function* () {
    try {
      yield new TextEncoder().encode("[1, x");
      yield new TextEncoder().encode("]");
    } finally {
      isClosed = true;
    }
  })();
  await expect(readJsonStream(source, refuse, (json) => json.value())).rejects.toThrow();
  await expect(readJsonStream(source, refuse, numbers)).rejects.toThrow();
  expect(isClosed).toBe(true);
});
