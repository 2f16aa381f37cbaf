import { Failure } from "../../core/failures/index.ts";
import { formatTimestamp } from "../../core/values/index.ts";
import type { Digest } from "../../core/versions/index.ts";
import type { ByteSource } from "../../plugins/importers/importer.ts";
import {
  BatchedRawFile,
  RawDigest,
  RawFile,
  maxBatchedBytes,
  spool,
  type ObjectBatch,
  type RawInfo,
  type RawSink,
  type Spooled,
} from "../../store/objects/index.ts";
import type { Files } from "../../workspace/files/index.ts";

/** An unread input. */
export interface InputFile {
  /** As given by the user; `-` is standard input. */
  readonly path: string;
  /** Bytes of a regular file. */
  readonly size?: number;
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly modified?: number;
  /** Object with the bytes, if already stored. */
  readonly object?: Digest;
  stream(): ByteSource;
}

/** A completely read file. */
export interface ReadFile extends RawInfo, Pick<InputFile, "path" | "modified"> {
  /** Object of the description used. */
  readonly description?: Digest;
}

export interface ArchiveOptions {
  /** Receives the bytes, and has to be committed; absent: only hash them. */
  readonly objects?: ObjectBatch;
  /** Maximum bytes of a stream. */
  readonly maxStreamBytes: number;
  readonly onBytes: (bytes: number) => void;
}

/** An input file by path. */
export function userFile(files: Files, path: string): InputFile {
  const facts = path === "-" ? null : files.inspect(path);
  const known = facts === null ? {} : { size: facts.size, modified: modifiedAt(path, facts.modified * 1e6) };
  return { path, ...known, stream: () => files.stream(path) };
}

/** Fails with `time-out-of-range` for a time that is no exact number of microseconds. */
function modifiedAt(path: string, time: number): number {
  if (Number.isSafeInteger(time)) return time;
  throw new Failure("time-out-of-range", {
    what: `the modification time of ${path}`,
    time: formatTimestamp(time),
    years: "1685 to 2255",
    advice: `correct it with touch ${path}`,
  });
}

/** Hashes and stores the bytes of a file while an importer reads it. Opened lazily. */
export class ArchivedFile {
  readonly file: InputFile;
  readonly #description: Digest | undefined;
  readonly #options: ArchiveOptions;
  readonly #bytes: AsyncGenerator<Uint8Array, void>;
  #digest: RawSink | undefined;
  #spool: Spooled | undefined;
  #measured: Promise<ReadFile> | undefined;
  #storing: Promise<void> | undefined;

  constructor(file: InputFile, description: Digest | undefined, options: ArchiveOptions) {
    this.file = file;
    this.#description = description;
    this.#options = options;
    this.#bytes = this.#pass();
  }

  /** The bytes; stays open for `finish` if the reader stops early. */
  source(): ByteSource {
    return { [Symbol.asyncIterator]: () => ({ next: () => this.#bytes.next() }) };
  }

  /** Reads the rest and waits until all bytes are stored. Fails with `file-changed`. */
  async finish(): Promise<ReadFile> {
    const file = await this.measured();
    await this.stored();
    return file;
  }

  /** Reads the rest; storing may still be in progress. Fails with `file-changed`. */
  measured(): Promise<ReadFile> {
    return (this.#measured ??= this.#measure());
  }

  async #measure(): Promise<ReadFile> {
    for await (const _ of this.#bytes);
    const { path, modified, object } = this.file;
    if (this.#digest === undefined) throw new Failure("unreadable-file", { path, reason: "it was not read" });
    return {
      path,
      ...(object === undefined ? {} : { object }),
      ...this.#digest.finish(path),
      ...(modified === undefined ? {} : { modified }),
      ...(this.#description === undefined ? {} : { description: this.#description }),
    };
  }

  /** Waits until the bytes are stored: those of small files once the batch is committed. */
  async stored(): Promise<void> {
    await (this.#storing ??= this.#digest?.commit());
  }

  /** Releases resources; an unfinished file is not stored. */
  async discard(): Promise<void> {
    this.#digest?.discard();
    this.#spool?.discard();
    await this.#bytes.return();
  }

  async *#pass(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of await this.#open()) {
      await this.#digest?.write(chunk);
      this.#options.onBytes(chunk.length);
      yield chunk;
    }
  }

  async #open(): Promise<ByteSource> {
    const { objects, maxStreamBytes: most } = this.#options;
    const { size } = this.file;
    const bytes = this.file.stream();
    if (objects === undefined) {
      this.#digest = new RawDigest();
      return bytes;
    }
    // Objects begin with their length, so streams are spooled first.
    if (size === undefined) this.#spool = await spool(objects.folder, bytes, most);
    const length = size ?? this.#spool?.bytes ?? 0;
    this.#digest =
      length <= maxBatchedBytes ? new BatchedRawFile(objects, length) : new RawFile(objects.folder, length);
    return this.#spool?.stream() ?? bytes;
  }
}

/** Concatenates files; adds a missing newline at the end of each. */
export async function* concatenatedSource(files: readonly ArchivedFile[]): AsyncGenerator<Uint8Array, void> {
  let last = newline;
  for (const file of files) {
    // UTF-16LE newlines end in NUL.
    if (last !== newline && last !== 0) yield Uint8Array.of(newline);
    last = newline;
    for await (const chunk of file.source()) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  }
}

const newline = 0x0a;
