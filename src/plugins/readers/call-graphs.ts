import { readCallgrind, readGprof } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const callgrind: Reader = stackReader(
  "callgrind",
  "what functions cost by valgrind --tool=callgrind",
  sniff,
  readCallgrind,
);

export const gprof: Reader = stackReader(
  "gprof",
  "flat profiles and call graphs that gprof prints",
  sniffGprof,
  readGprof,
);

/** The first line is optional; the events are required, and functions follow them. */
function sniff(head: Uint8Array): number {
  const text = new TextDecoder().decode(head);
  if (/^# callgrind format\s*$/m.test(text.slice(0, 1000))) return 1;
  return /^events: *\S/m.test(text) && /^fn=/m.test(text) ? 0.9 : 0;
}

/** The heading of a part and of its columns; other texts may mention a flat profile. */
function sniffGprof(head: Uint8Array): number {
  const text = new TextDecoder().decode(head);
  if (/^\f?Flat profile:/m.test(text) && /^ *time +seconds +seconds .*name *$/m.test(text)) return 0.95;
  return /^\f?\s*Call graph\b/m.test(text) && /^index +% time +self +children +called +name/m.test(text) ? 0.95 : 0;
}
