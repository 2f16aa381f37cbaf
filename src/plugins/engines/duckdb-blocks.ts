import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createRequire } from "node:module";

/** Bytes of each of the three headers at the start of a file. */
const headerSize = 4096;

/** The factor of DuckDB's checksum, 0xbf58476d1ce4e5b9, in pieces of 16 bits from the lowest. */
const [f0, f1, f2, f3] = [0xe5b9, 0x1ce4, 0x476d, 0xbf58] as const;

/** The checksum of no bytes. */
const seed = 5381;

/** Pieces of a block that holds metadata; each begins with the pointer to the next piece of its chain. */
const piecesOfBlock = 64;

/** What the newest header says: numbers of blocks and bytes, and where the list of free blocks begins. */
interface Layout {
  readonly count: number;
  /** Number of blocks in the file: DuckDB cuts off free blocks at its end. */
  readonly held: number;
  readonly size: number;
  readonly freeList: bigint;
}

/**
 * Blocks of a DuckDB file (storage version 64) whose bytes differ from their checksum, by their numbers. Each block
 * begins with its checksum. Blocks of indexes are included: no statement reads a whole index. Free blocks are not: a
 * checkpoint writes to them first, and when it is killed they are torn, but no table has them.
 */
export async function damagedBlocks(path: string): Promise<number[]> {
  const file = await open(path, "r");
  try {
    const layout = await layoutOf(file);
    const free = await freeBlocks(file, layout);
    const buffer = new Uint8Array(layout.size);
    const damaged: number[] = [];
    const { count, held } = layout;
    for (let block = 0; block < Math.min(held, count); block++) {
      if (free.has(block)) continue;
      if (!(await readBlock(file, layout, block, buffer)) || !isIntact(buffer)) damaged.push(block);
    }
    const cut = [...free].filter((block) => block >= held).length;
    return count - held > cut ? [...damaged, held] : damaged;
  } finally {
    await file.close();
  }
}

/** Fills a buffer with a block; whether the file holds all of it. */
async function readBlock(file: FileHandle, { size }: Layout, block: number, buffer: Uint8Array): Promise<boolean> {
  const { bytesRead } = await file.read(buffer, 0, size, 3 * headerSize + block * size);
  return bytesRead === size;
}

/** From the newer of two headers. A torn write of the other one is no damage. */
async function layoutOf(file: FileHandle): Promise<Layout> {
  const headers = await Promise.all([1, 2].map((at) => headerAt(file, at)));
  const intact = headers.filter((each) => isIntact(each)).map((each) => new DataView(each.buffer));
  const [newest] = intact.toSorted((a, b) => number(b, 8) - number(a, 8));
  if (newest === undefined) return { count: 0, held: 0, size: headerSize, freeList: noPointer };
  const size = blockSizeOf(newest);
  const held = Math.floor(((await file.stat()).size - 3 * headerSize) / size);
  return { count: number(newest, 32), held, size, freeList: newest.getBigUint64(24, true) };
}

/** DuckDB's only size, unless a header has one that DuckDB allows. */
function blockSizeOf(header: DataView): number {
  const size = number(header, 40);
  return size >= 16_384 && size <= 262_144 ? size : 262_144;
}

/** The end of a chain. */
const noPointer = 0xff_ff_ff_ff_ff_ff_ff_ffn;

/** The numbers of free blocks: a count, and as many numbers. None if the list cannot be read whole. */
async function freeBlocks(file: FileHandle, layout: Layout): Promise<ReadonlySet<number>> {
  const words = wordsOfChain(file, layout);
  const { value: count } = await words.next();
  const free = new Set<number>();
  for (let at = 0n; at < (count ?? 0n); at++) {
    const { value } = await words.next();
    if (value === undefined || value >= layout.count) return new Set();
    free.add(Number(value));
  }
  return free;
}

/**
 * The 8-byte words of the chain of pieces that holds the list of free blocks. A pointer has the number of a block in
 * its lower 56 bits, and the piece within it above. Ends early at a damaged block or pointer.
 */
async function* wordsOfChain(file: FileHandle, layout: Layout): AsyncGenerator<bigint, undefined> {
  const buffer = new Uint8Array(layout.size);
  const view = new DataView(buffer.buffer);
  const pieceSize = Math.floor((layout.size - 8) / piecesOfBlock / 8) * 8;
  let pointer = layout.freeList;
  for (let left = layout.held * piecesOfBlock; pointer !== noPointer && left > 0; left--) {
    const [block, piece] = [Number(pointer & 0xff_ff_ff_ff_ff_ff_ffn), Number(pointer >> 56n)];
    if (block >= layout.held || piece >= piecesOfBlock) return undefined;
    if (!(await readBlock(file, layout, block, buffer)) || !isIntact(buffer)) return undefined;
    const start = 8 + piece * pieceSize;
    for (let at = start + 8; at < start + pieceSize; at += 8) yield view.getBigUint64(at, true);
    pointer = view.getBigUint64(start, true);
  }
  return undefined;
}

async function headerAt(file: FileHandle, at: number): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(headerSize);
  await file.read(header, 0, headerSize, at * headerSize);
  return header;
}

function number(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

/**
 * Whether bytes agree with the checksum in their first eight: the products of each eight bytes with a factor, modulo
 * 2^64, combined by exclusive or.
 */
export function isIntact(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [low, high] = [seed, 0];
  for (let at = 8; at < bytes.length; at += 8) {
    const [l, h] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    if ((l | h) === 0) continue;
    const [a, b, c, d] = [l & 0xffff, l >>> 16, h & 0xffff, h >>> 16];
    const p0 = a * f0;
    const p1 = a * f1 + b * f0 + Math.floor(p0 / 65_536);
    const p2 = a * f2 + b * f1 + c * f0 + Math.floor(p1 / 65_536);
    const p3 = a * f3 + b * f2 + c * f1 + d * f0 + Math.floor(p2 / 65_536);
    low ^= (p0 & 0xffff) | ((p1 % 65_536) << 16);
    high ^= (p2 % 65_536) | ((p3 % 65_536) << 16);
  }
  return view.getUint32(0, true) === low >>> 0 && view.getUint32(4, true) === high >>> 0;
}

/** Where a header has its number. */
const numberAt = 8;

/**
 * What is wrong with the headers of a DuckDB file (storage version 64) although their checksums fit; null if nothing
 * is, or if DuckDB itself notices it. Two headers are written in turn, each with the next number; the newer one
 * counts. If their numbers do not follow each other, the file would be read as it was earlier.
 */
export function headerDamage(path: string): string | null {
  const headers = readHeaders(path);
  if (headers === null) return null;
  const intact = [0, headerSize].map((at) => headers.subarray(at, at + headerSize)).filter(isIntact);
  const [newest, other] = intact.map((each) => Number(each.readBigUInt64LE(numberAt))).sort((a, b) => b - a);
  // An empty file has twice the header 0.
  const isInOrder = newest === undefined || other === undefined || newest === 0 || newest - other === 1;
  return isInOrder ? null : "its headers do not follow each other";
}

/** Null if they cannot be read, which DuckDB will report. */
function readHeaders(path: string): Buffer | null {
  const headers = Buffer.alloc(2 * headerSize);
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    return readSync(file, headers, 0, headers.length, headerSize) < headers.length ? null : headers;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Reads all rows of all tables, by a hash of whole rows, and plans statements that read the statistics of all
 * columns; prints what fails. The first argument is DuckDB, the second the database.
 */
const script = `
const [duckdb, path] = [require(process.argv[1]), process.argv[2]];
const name = (column) => \`'"' || replace(\${column}, '"', '""') || '"'\`;
const table = \`\${name("schema_name")} || '.' || \${name("table_name")}\`;
const selection = \`'select bit_xor(hash(one)) from ' || \${table}\`;
const tables = \`set variable statements = (
  select coalesce(string_agg(\${selection} || ' as one', ' union all '), 'select 1')
  from duckdb_tables() where not internal and not temporary)\`;
const literal = \`case when data_type like 'TIME%' or data_type = 'DATE' then '2000-01-01' else '1' end\`;
const value = \`'try_cast(''' || \${literal} || ''' as ' || data_type || ')'\`;
const plans = \`
  select 'explain select distinct * from ' || \${table} || ' where ' ||
    string_agg(\${name("column_name")} || ' in (' || \${value} || ', null)', ' and ')
  from duckdb_columns() where not internal group by schema_name, table_name
  union all select 'explain select distinct * from ' || \${table} from duckdb_tables() where not internal\`;
const textAt = (chunk, row) => {
  const bytes = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk, 0), 16 * (row + 1));
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(16 * row, true);
  const at = bytes.byteOffset + 16 * row;
  const text = length > 12 ? duckdb.get_data_from_pointer(bytes.buffer, at + 8, length) : bytes.subarray(16 * row + 4);
  return Buffer.from(text).toString("utf8", 0, length);
};
(async () => {
  const config = duckdb.create_config();
  duckdb.set_config(config, "access_mode", "READ_ONLY");
  for (const what of ["autoinstall", "autoload"]) duckdb.set_config(config, what + "_known_extensions", "false");
  const connection = await duckdb.connect(await duckdb.open(path, config));
  await duckdb.query(connection, tables);
  await duckdb.query(connection, "select * from query(getvariable('statements'))");
  const planned = await duckdb.query(connection, plans);
  for (let left = duckdb.row_count(planned); left > 0; ) {
    const chunk = await duckdb.fetch_chunk(planned);
    const rows = duckdb.data_chunk_get_size(chunk);
    for (let row = 0; row < rows; row++) await duckdb.query(connection, textAt(chunk, row));
    left -= rows;
  }
})().catch((error) => process.stdout.write(String(error.message).split("\\n", 1)[0]));
`;

/** A process that reads less than this has hung: bytes each millisecond, and milliseconds for its start. */
const [slowest, start] = [1000, 30_000];

/**
 * Reads a whole database in another process: damage with a valid checksum crashes DuckDB, or lets it run without end.
 * What is wrong; null if nothing is, or if the database is locked or missing.
 */
export async function trialDamage(path: string): Promise<string | null> {
  if (!existsSync(path)) return null;
  const limit = start + Math.ceil(statSync(path).size / slowest);
  const duckdb = createRequire(import.meta.url).resolve("@duckdb/node-bindings");
  const child = spawn(process.execPath, ["-e", script, duckdb, path], {
    stdio: ["ignore", "pipe", "ignore"],
    timeout: limit,
    killSignal: "SIGKILL",
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const ended = await new Promise<NodeJS.Signals | number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => resolve(signal ?? status));
  });
  if (ended === "SIGKILL") return `reading it does not end within ${Math.round(limit / 1000)} s`;
  if (typeof ended === "string") return `reading it ends the process with ${ended}`;
  return printed === "" || isElsewhere(printed) ? null : printed.slice(0, 300);
}

/** Failures that are no sign of damage; opening the database reports them. */
function isElsewhere(message: string): boolean {
  return /Could not set lock|Permission denied|Cannot open file|Too many open files|Out of Memory/.test(message);
}
