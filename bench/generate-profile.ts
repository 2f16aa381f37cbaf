/** Seeded random numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A profile of the first layout with `count` rows of calls in `global.resources`: four numeric columns and few uids.
 * 500,000 rows are 52 MB.
 */
export function* calls(count: number): Generator<string> {
  const random = seeded(1);
  yield head("mixed", { "mixed(time delta)": "us" }, "trace");
  yield `"global": {"time": "12.5", "resources": [`;
  for (let row = 0; row < count; row++) {
    const amount = (random() * 1000).toFixed(3);
    const size = Math.floor(random() * 10_000);
    const uid = `fn_${Math.floor(random() * 40)}`;
    yield `${row === 0 ? "" : ", "}{"amount": ${amount}, "uid": "${uid}", "structure-unit-size": ${size}, `;
    yield `"order": ${row}, "timestamp": ${1_700_000_000 + row}}`;
  }
  yield `]}}`;
}

/**
 * A memory profile of the first layout with `count` allocations, each a separate resource type because of its
 * allocation order. 100,000 allocations are 27 MB.
 */
export function* allocations(count: number): Generator<string> {
  const random = seeded(2);
  yield head("memory", { memory: "B" }, "memory");
  yield `"snapshots": [{"time": "0.001", "resources": [`;
  for (let row = 0; row < count; row++) {
    const line = Math.floor(random() * 200);
    const frames = [frame("grow", line), frame("main", 12), frame("_start", 0)];
    const subtype = row % 2 === 0 ? "malloc" : "free";
    yield `${row === 0 ? "" : ", "}{"subtype": "${subtype}", "address": ${0x55_0000_0000 + row * 16}, `;
    yield `"amount": ${row % 4096}, "uid": ${frames[0]}, "trace": [${frames.join(", ")}], "allocation_order": ${row}}`;
  }
  yield `]}]}`;
}

function head(type: string, units: Readonly<Record<string, string>>, collector: string): string {
  const header = { type, cmd: "./target", workload: "big.in", units };
  const info = { name: collector, params: {} };
  const origin = "0".repeat(40);
  const fields = `"header": ${JSON.stringify(header)}, "collector_info": ${JSON.stringify(info)}`;
  return `{"origin": "${origin}", ${fields}, "postprocessors": [], `;
}

function frame(name: string, line: number): string {
  return `{"source": "a.c", "function": "${name}", "line": ${line}}`;
}
