import { Failure } from "../../core/failures/failure.ts";
import type { Digest } from "../../core/versions/digest.ts";
import type { ByteSource } from "../../plugins/importers/importer.ts";
import { RawDigest, RawFile, spool, type RawInfo, type RawSink, type Spooled } from "../../store/objects/raw-file.ts";
import type { Files } from "../../workspace/files/files.ts";

/** An input before it is read. */
export interface InputFile {
  /** As the user wrote it; `-` is standard input. */
  readonly path: string;
  /** Of a regular file. */
  readonly size?: number;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly modified?: number;
  /** The object that keeps its bytes already. */
  readonly object?: Digest;
  stream(): ByteSource;
}

/** A file that was read to its end, and what read it. */
export interface ReadFile extends RawInfo, Pick<InputFile, "path" | "modified"> {
  /** The object that keeps the description it was read by. */
  readonly description?: Digest;
}

export interface PassingOptions {
  /** Where bytes are kept as objects; absent: they are only measured. */
  readonly objects?: string;
  /** So many bytes are kept of what is no file and may have no end. */
  readonly most: number;
  readonly passed: (bytes: number) => void;
}

/** A file of the user. */
export function userFile(files: Files, path: string): InputFile {
  const facts = path === "-" ? null : files.inspect(path);
  const known = facts === null ? {} : { size: facts.size, modified: facts.modified * 1e6 };
  return { path, ...known, stream: () => files.stream(path) };
}

/**
 * A file that an importer reads while its bytes are measured and kept. Nothing is opened before the first byte is asked
 * for.
 */
export class PassingFile {
  readonly file: InputFile;
  readonly #description: Digest | undefined;
  readonly #options: PassingOptions;
  readonly #bytes: AsyncGenerator<Uint8Array, void>;
  #witness: RawSink | undefined;
  #spooled: Spooled | undefined;
  #keeping: Promise<void> | undefined;

  constructor(file: InputFile, description: Digest | undefined, options: PassingOptions) {
    this.file = file;
    this.#description = description;
    this.#options = options;
    this.#bytes = this.#pass();
  }

  /** The bytes, which stay open for `finish` when their reader has had enough. */
  source(): ByteSource {
    return { [Symbol.asyncIterator]: () => ({ next: () => this.#bytes.next() }) };
  }

  /** Reads what the importer left, and waits until all bytes are kept. Fails with `file-changed`. */
  async finish(): Promise<ReadFile> {
    const file = await this.measured();
    await this.kept();
    return file;
  }

  /**
   * Reads what the importer left. Its bytes are still on their way to where they are kept. Fails with `file-changed`.
   */
  async measured(): Promise<ReadFile> {
    for await (const _ of this.#bytes);
    const { path, modified, object } = this.file;
    if (this.#witness === undefined) throw new Failure("unreadable-file", { path, reason: "it was not read" });
    return {
      path,
      ...(object === undefined ? {} : { object }),
      ...this.#witness.finish(path),
      ...(modified === undefined ? {} : { modified }),
      ...(this.#description === undefined ? {} : { description: this.#description }),
    };
  }

  /** The bytes of a file that was measured are kept, durably, once it returns. */
  async kept(): Promise<void> {
    await (this.#keeping ??= this.#witness?.commit());
  }

  /** Lets go of everything; what was not finished is kept nowhere. */
  async discard(): Promise<void> {
    this.#witness?.discard();
    this.#spooled?.discard();
    await this.#bytes.return();
  }

  async *#pass(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of await this.#open()) {
      await this.#witness?.write(chunk);
      this.#options.passed(chunk.length);
      yield chunk;
    }
  }

  async #open(): Promise<ByteSource> {
    const { objects, most } = this.#options;
    const { size } = this.file;
    const bytes = this.file.stream();
    if (objects === undefined) {
      this.#witness = new RawDigest();
      return bytes;
    }
    // An object says its length before its bytes: what is no regular file is measured first.
    if (size === undefined) this.#spooled = await spool(objects, bytes, most);
    this.#witness = new RawFile(objects, size ?? this.#spooled?.bytes ?? 0);
    return this.#spooled?.stream() ?? bytes;
  }
}

/** The bytes of all files as those of one; a file that ends amid a line ends it. */
export async function* joinedSource(files: readonly PassingFile[]): AsyncGenerator<Uint8Array, void> {
  let last = newline;
  for (const file of files) {
    // Newlines of UTF-16 end in NUL where the low byte comes first.
    if (last !== newline && last !== 0) yield Uint8Array.of(newline);
    last = newline;
    for await (const chunk of file.source()) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  }
}

const newline = 0x0a;
