import { Failure } from "../../core/failures/index.ts";
import { concatenateBytes } from "../bytes/index.ts";
import { JsonLocation, longestText } from "./json-location.ts";
import { readJsonStream, type JsonStream } from "./json-stream.ts";

/** A JSON document of which one list was streamed. */
export interface JsonListing<T> {
  /** The document; its list may be empty. */
  readonly document: JsonLocation;
  /** The result of `read` for each element. */
  readonly elements: readonly T[];
}

/**
 * Reads a document that consists mostly of its member `list`: `read` is called with each element as soon as it is
 * complete, and the element is then released. If the text is not plain JSON, the buffered document is read again at
 * once, which accepts Python's NaN and reports the position of errors. Fails like `JsonLocation.document` and like
 * `read`.
 */
export async function readJsonListing<T>(
  source: AsyncIterable<Uint8Array>,
  file: string,
  list: string,
  read: (element: JsonLocation, at: number) => T,
): Promise<JsonListing<T>> {
  const held = new BufferedSource(source);
  try {
    return (
      (await readInPieces(held, file, list, read)) ??
      readAtOnce(JsonLocation.document(await held.all(), file), list, read)
    );
  } finally {
    await held.close();
  }
}

function readAtOnce<T>(
  document: JsonLocation,
  list: string,
  read: (element: JsonLocation, at: number) => T,
): JsonListing<T> {
  return { document, elements: document.get(list).list().map(read) };
}

/** undefined if the document has to be read at once. */
async function readInPieces<T>(
  held: BufferedSource,
  file: string,
  list: string,
  read: (element: JsonLocation, at: number) => T,
): Promise<JsonListing<T> | undefined> {
  const locate = JsonLocation.elements(file, list);
  const members: [string, unknown][] = [];
  let elements: T[] | undefined;
  try {
    const walk = (json: JsonStream): Promise<void> =>
      json.members("the document", async (key) => {
        if (key !== list) return void members.push([key, await json.value()]);
        const found: T[] = (elements = []);
        members.push([key, []]);
        await json.elements(key, (values) =>
          values.forEach((value) => found.push(read(locate(value, found.length), found.length))),
        );
      });
    await readJsonStream(held, refused, walk, { isStrict: true });
  } catch (error) {
    if (held.isBroken) throw error;
    return undefined;
  }
  return elements && { document: JsonLocation.members(members, file), elements };
}

/** Never reported: the document is read again at once. */
function refused(problem: string): Failure {
  return new Failure("damaged-report", { file: "-", problem });
}

/** A source that can be read again from its beginning. */
class BufferedSource implements AsyncIterable<Uint8Array> {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Uint8Array[] = [];
  #size = 0;
  /** Reading the source failed. */
  isBroken = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** Does not close the source, which `all` still needs. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() };
  }

  /** All bytes of the source; input that is too long for one text is not buffered. */
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
