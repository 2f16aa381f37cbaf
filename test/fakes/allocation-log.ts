import { allocationCalls, type AllocationCall } from "../../src/formats/traces/allocation-log.ts";

export interface LoggedCall {
  readonly call: AllocationCall;
  readonly amount: number;
  readonly address: number;
}

/** The log of process 7 of session 6: all calls with one stack of two frames in `/project/work`, 1 µs apart. */
export function allocationLog(calls: readonly LoggedCall[], stopped: 0 | 1 | 2 = 0): Uint8Array {
  const bytes = new Uint8Array(1 << 20);
  const view = new DataView(bytes.buffer);
  let at = 32;
  const record = (kind: number, id: number, words: readonly number[], text = ""): void => {
    view.setUint32(at, kind, true);
    view.setUint32(at + 4, id, true);
    words.forEach((word, index) => view.setBigUint64(at + 8 + 8 * index, BigInt(word), true));
    bytes.set(new TextEncoder().encode(text), at + 8 + 8 * words.length);
    at += 8 + 8 * words.length + Math.ceil(text.length / 8) * 8;
  };
  bytes.set(new TextEncoder().encode("pkalloc1"));
  for (const [index, word] of [1, 7, 6, 0].entries()) view.setUint32(8 + 4 * index, word, true);
  view.setBigUint64(24, 5_000_000_000n, true);
  record(17, 13, [0x1000, 0x1000, 0x9000, 1], "/project/work");
  record(16, 1, [2, 1, 0x1234, 0x2345]);
  calls.forEach(({ call, amount, address }, index) =>
    record(allocationCalls.indexOf(call) + 1, 1, [index * 1000, amount, address, 0]),
  );
  if (stopped > 0) record(18, stopped, []);
  return bytes;
}
