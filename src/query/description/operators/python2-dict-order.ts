/*
 * The order in which a dictionary of Python 2 lists its keys: perfbase names the columns of eval after the variables of
 * a term in this order. The hash of texts and the probing are those that CPython 2.7 documents (Objects/dictnotes.txt,
 * Objects/dictobject.c) for 64 bit.
 */

const mask64 = 2n ** 64n - 1n;

function hashOf(text: string): bigint {
  const bytes = new TextEncoder().encode(text);
  let hash = BigInt(bytes[0] ?? 0) << 7n;
  for (const byte of bytes) hash = ((1_000_003n * hash) ^ BigInt(byte)) & mask64;
  return hash ^ BigInt(bytes.length);
}

/** The keys, each once, in the order of a dictionary that they were put into one after the other. */
export function orderOfOldDictionary(keys: readonly string[]): string[] {
  let slots: (string | undefined)[] = Array.from({ length: 8 });
  let used = 0;
  for (const key of new Set(keys)) {
    place(slots, key);
    used += 1;
    if (used * 3 < slots.length * 2) continue;
    const before = slots;
    let size = 8;
    while (size <= used * 4) size *= 2;
    slots = Array.from({ length: size });
    for (const each of before) if (each !== undefined) place(slots, each);
  }
  return slots.filter((key) => key !== undefined);
}

function place(slots: (string | undefined)[], key: string): void {
  const mask = BigInt(slots.length - 1);
  const hash = hashOf(key);
  let at = hash & mask;
  for (let perturb = hash; slots[Number(at & mask)] !== undefined; perturb >>= 5n) at = at * 5n + perturb + 1n;
  slots[Number(at & mask)] = key;
}
