// Byte-level tools: growing buffers, interned ranges, numbers in bytes, Protocol Buffers.
// Used by all other formats, the store and plug-ins.
// Never knows a file format.

export { ByteRanges, hashOf } from "./byte-ranges.ts";
export { ByteWriter } from "./byte-writer.ts";
export { collectBytes, concatenateBytes, inOnePiece } from "./concatenate.ts";
export { floatOf, integerOf } from "./number-bytes.ts";
export { NumberList } from "./number-list.ts";
export { ProtobufReader, ProtobufWriter, wire } from "./protobuf.ts";
export { readAllBytes } from "./read-all.ts";
export { unzstdBlock, ZstdPieces } from "./zstd.ts";
