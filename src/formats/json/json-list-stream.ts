import { Failure } from "../../core/failures/failure.ts";
import { concatenateBytes } from "../bytes/concatenate.ts";
import { JsonLocation, longestText } from "./json-location.ts";
import { readJsonStream, type JsonStream } from "./json-stream.ts";

/** A document of JSON of which one list was read as it came. */
export interface JsonListing<T> {
  /** The document; its list need not have its elements any more. */
  readonly document: JsonLocation;
  /** What was read of each element. */
  readonly elements: readonly T[];
}

/**
 * Reads a document whose member `list` has most of it: `read` is called with each element as soon as that is whole,
 * while the rest is still on its way, and what it does not take is let go of. What is not plain JSON is read again as a
 * whole, which knows the NaN that Python writes, and tells what is wrong, and where: so the bytes are held until then.
 * Fails like `JsonPlace.document`, and with what `read` fails with.
 */
export async function readJsonListing<T>(
  source: AsyncIterable<Uint8Array>,
  file: string,
  list: string,
  read: (element: JsonLocation, at: number) => T,
): Promise<JsonListing<T>> {
  const held = new HeldSource(source);
  try {
    return (await inPieces(held, file, list, read)) ?? inOne(JsonLocation.document(await held.all(), file), list, read);
  } finally {
    await held.close();
  }
}

function inOne<T>(document: JsonLocation, list: string, read: (element: JsonLocation, at: number) => T): JsonListing<T> {
  return { document, elements: document.get(list).list().map(read) };
}

/** undefined where the document has to be read as a whole. */
async function inPieces<T>(
  held: HeldSource,
  file: string,
  list: string,
  read: (element: JsonLocation, at: number) => T,
): Promise<JsonListing<T> | undefined> {
  const place = JsonLocation.elements(file, list);
  const members: [string, unknown][] = [];
  let elements: T[] | undefined;
  try {
    const walk = (json: JsonStream): Promise<void> =>
      json.members("the document", async (key) => {
        if (key !== list) return void members.push([key, await json.value()]);
        const found: T[] = (elements = []);
        members.push([key, []]);
        await json.elements(key, (values) =>
          values.forEach((value) => found.push(read(place(value, found.length), found.length))),
        );
      });
    await readJsonStream(held, refused, walk, { isStrict: true });
  } catch (error) {
    if (held.isBroken) throw error;
    return undefined;
  }
  return elements && { document: JsonLocation.members(members, file), elements };
}

/** Never told: the document is read again as a whole. */
function refused(problem: string): Failure {
  return new Failure("damaged-report", { file: "-", problem });
}

/** A source that can be read from its beginning once more. */
class HeldSource implements AsyncIterable<Uint8Array> {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Uint8Array[] = [];
  #size = 0;
  /** Reading it failed. */
  isBroken = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** Stays open for `all`. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  /** What is too long for one text is not held. */
  async all(): Promise<Uint8Array> {
    while ((await this.#next()).done !== true);
    return concatenateBytes(this.#held, Math.min(this.#size, longestText + 1));
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    try {
      const next = await this.#pieces.next();
      if (next.done !== true) this.#hold(next.value);
      return next;
    } catch (error) {
      this.isBroken = true;
      throw error;
    }
  }

  #hold(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size > longestText) this.#held = [];
    else this.#held.push(piece);
  }
}
