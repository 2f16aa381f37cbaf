import { type ProtobufReader, wire } from "../bytes/index.ts";

/** Of a field: its name in JSON, and its type; `*` means repeated. */
type Field = readonly [name: string, type: Scalar | Message];

type Scalar = "int" | "int*" | "uint" | "uint*" | "fixed64" | "fixed64*" | "text" | "text*" | "bytes*";

/** The fields of a message that are read, by number. */
export interface Message {
  readonly isRepeated: boolean;
  readonly fields: Readonly<Record<number, Field>>;
}

export const one = (fields: Message["fields"]): Message => ({ isRepeated: false, fields });
export const many = (fields: Message["fields"]): Message => ({ isRepeated: true, fields });

/**
 * Decodes the given fields of a Protocol Buffers message, as their JSON form has them. Fails with `bad-stack-profile`.
 */
export function decodeMessage(reader: ProtobufReader, message: Message): Record<string, unknown> {
  const decoded: Record<string, unknown> = {};
  while (reader.next()) {
    const field = message.fields[reader.field];
    if (field === undefined) reader.skip();
    else take(reader, field, decoded);
  }
  return decoded;
}

function take(reader: ProtobufReader, [name, type]: Field, decoded: Record<string, unknown>): void {
  const list = (): unknown[] => (decoded[name] ??= []) as unknown[];
  if (type === "int") decoded[name] = reader.int();
  else if (type === "uint") decoded[name] = reader.uint();
  else if (type === "fixed64") decoded[name] = reader.fixed64();
  else if (type === "text") decoded[name] = reader.text();
  else if (type === "text*") list().push(reader.text());
  else if (type === "int*") reader.ints((value) => list().push(value));
  else if (type === "uint*") reader.uints((value) => list().push(value));
  else if (type === "bytes*") list().push(bytesOf(reader.message()));
  else if (type === "fixed64*") takeFixed(reader, list());
  else if (type.isRepeated) list().push(decodeMessage(reader.message(), type));
  else decoded[name] = decodeMessage(reader.message(), type);
}

/** Packed or not. */
function takeFixed(reader: ProtobufReader, list: unknown[]): void {
  if (reader.wire !== wire.bytes) {
    list.push(reader.fixed64());
    return;
  }
  const packed = reader.message();
  packed.wire = wire.fixed64;
  while (packed.at < packed.end) list.push(packed.fixed64());
}

function bytesOf({ bytes, at, end }: ProtobufReader): Uint8Array {
  return bytes.subarray(at, end);
}
