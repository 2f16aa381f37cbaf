import fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../core/failures/failure.ts";
import { readJsonListing } from "./json-list-stream.ts";
import { JsonLocation } from "./json-location.ts";

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** An element's path and members. */
function described(element: JsonLocation): unknown[] {
  return [element.path, element.get("n").number(), element.maybe("t")?.text()];
}

function read(text: string | Uint8Array, size: number): Promise<unknown> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const listing = readJsonListing(pieces(bytes, size), "some.json", "list", described);
  return listing.then(
    ({ document, elements }) => [elements, document.maybe("after")?.scalar, document.maybe("before")?.scalar],
    (error: unknown) => (isFailure(error) ? error.message : error),
  );
}

const member = fc.record({ n: fc.double({ noNaN: true, noDefaultInfinity: true }), t: fc.string() });
const sizes = fc.constantFrom(1, 2, 3, 7, 64, 100_000);

test("elements have their paths, and the document its other members, for any chunking", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(member),
      fc.string(),
      sizes,
      fc.constantFrom(undefined, 1),
      async (list, before, size, space) => {
        const text = JSON.stringify({ before, other: { list: [1] }, list, after: 7 }, null, space);
        const elements = list.map(({ n, t }, at) => [`list[${at}]`, n === 0 ? expect.closeTo(0) : n, t]);
        expect(await read(text, size)).toEqual([elements, 7, before]);
      },
    ),
  );
});

test("damage is reported as when the document is read at once", async () => {
  const document = new TextEncoder().encode(
    '{"before": "é\\"]", "list": [{"n": 1, "t": "a"}, {"n": 2, "t": "]}"}, {"n": 3}], "after": 7}',
  );
  const edit = fc.record({
    at: fc.nat(document.length - 1),
    cut: fc.nat(9),
    put: fc.oneof(fc.uint8Array({ maxLength: 3 }), hostile),
  });
  await fc.assert(
    fc.asyncProperty(edit, sizes, async ({ at, cut, put }, size) => {
      const bytes = Uint8Array.from([...document.subarray(0, at), ...put, ...document.subarray(at + cut)]);
      expect(await read(bytes, size)).toEqual(await atOnce(bytes));
    }),
    { numRuns: 1000 },
  );
});

const hostile = fc
  .constantFrom(
    "NaN",
    "null",
    ",",
    "]",
    "[",
    "{",
    "}",
    '"',
    '"list": [{"n": 5}],',
    '"n": NaN,',
    "-Infinity",
    "\\",
    "\uFEFF",
  )
  .map((text) => new TextEncoder().encode(text));

async function atOnce(bytes: Uint8Array): Promise<unknown> {
  try {
    const document = JsonLocation.document(bytes, "some.json");
    const elements = document.get("list").list().map(described);
    return [elements, document.maybe("after")?.scalar, document.maybe("before")?.scalar];
  } catch (error) {
    return isFailure(error) ? error.message : error;
  }
}

test("a document without the list, or with another value, is refused", async () => {
  expect(await read('{"before": 1}', 4)).toBe('some.json: it has no "list"');
  expect(await read('{"list": {"n": 1}}', 4)).toBe("some.json: list: it is not a list");
  expect(await read('{"list": [{"n": 1}, {"n": "x"}]}', 4)).toBe("some.json: list[1].n: it is not a number");
});

test("an error of the source is passed on, and the source is closed", async () => {
  let isClosed = false;
  const source = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield new TextEncoder().encode('{"list": [{"n": 1},');
      throw new Error("gone");
    } finally {
      isClosed = true;
    }
  };
  await expect(readJsonListing(source(), "some.json", "list", described)).rejects.toThrow("gone");
  expect(isClosed).toBe(true);
});
