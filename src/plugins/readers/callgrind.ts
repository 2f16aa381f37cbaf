import { readCallgrind } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const callgrind: Reader = stackReader(
  "callgrind",
  "what functions cost by valgrind --tool=callgrind",
  sniff,
  readCallgrind,
);

/** The first line is optional; the events are required, and functions follow them. */
function sniff(head: Uint8Array): number {
  const text = new TextDecoder().decode(head);
  if (/^# callgrind format\s*$/m.test(text.slice(0, 1000))) return 1;
  return /^events: *\S/m.test(text) && /^fn=/m.test(text) ? 0.9 : 0;
}
