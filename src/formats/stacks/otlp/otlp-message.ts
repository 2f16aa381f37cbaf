import { ProtobufReader } from "../../bytes/index.ts";
import { decodeMessage, many, one } from "../protobuf-message.ts";

const anyValue = one({ 1: ["stringValue", "text"], 2: ["boolValue", "int"], 3: ["intValue", "int"] });
const valueType = one({ 1: ["typeStrindex", "int"], 2: ["unitStrindex", "int"] });
const sample = many({
  1: ["stackIndex", "int"],
  2: ["attributeIndices", "int*"],
  4: ["values", "int*"],
  5: ["timestampsUnixNano", "fixed64*"],
});
const profile = many({
  1: ["sampleType", valueType],
  2: ["samples", sample],
  3: ["timeUnixNano", "fixed64"],
  4: ["durationNano", "uint"],
  5: ["periodType", valueType],
  6: ["period", "int"],
});
const resource = one({ 1: ["attributes", many({ 1: ["key", "text"], 2: ["value", anyValue] })] });
const mapping = many({
  1: ["memoryStart", "uint"],
  2: ["memoryLimit", "uint"],
  3: ["fileOffset", "uint"],
  4: ["filenameStrindex", "int"],
  5: ["attributeIndices", "int*"],
});
const location = many({
  1: ["mappingIndex", "int"],
  2: ["address", "uint"],
  3: ["lines", many({ 1: ["functionIndex", "int"], 2: ["line", "int"], 3: ["column", "int"] })],
});
const functions = many({
  1: ["nameStrindex", "int"],
  2: ["systemNameStrindex", "int"],
  3: ["filenameStrindex", "int"],
  4: ["startLine", "int"],
});
const attribute = many({ 1: ["keyStrindex", "int"], 2: ["value", anyValue], 3: ["unitStrindex", "int"] });
const dictionary = one({
  1: ["mappingTable", mapping],
  2: ["locationTable", location],
  3: ["functionTable", functions],
  5: ["stringTable", "text*"],
  6: ["attributeTable", attribute],
  7: ["stackTable", many({ 1: ["locationIndices", "int*"] })],
});
const profilesData = one({
  1: [
    "resourceProfiles",
    many({ 1: ["resource", resource], 2: ["scopeProfiles", many({ 2: ["profiles", profile] })] }),
  ],
  2: ["dictionary", dictionary],
});

/**
 * Decodes a message ProfilesData of opentelemetry/proto/profiles/v1development, as its JSON form would be: the fields
 * that profiles need. Fails with `bad-stack-profile`.
 */
export function decodeOtlp(bytes: Uint8Array, file: string): unknown {
  return decodeMessage(new ProtobufReader(bytes, file, 0, bytes.length, "OTLP"), profilesData);
}

/** Whether bytes start like a ProfilesData with a profile: its messages are nested in each other. */
export function isOtlp(head: Uint8Array): boolean {
  const [first, second] = [0x0a, 0x12];
  let at = 0;
  const length = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35 && at < head.length; shift += 7) {
      const byte = head[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  for (const wanted of [first, second, second])
    for (let tag = head[at++]; ; tag = head[at++]) {
      const size = length();
      if (tag === wanted) break;
      if (tag !== first || !(size <= head.length - at)) return false;
      at += size;
    }
  return head[at] === first || head[at] === second;
}
