// What the engines of the collector memory cost a program that does nothing but allocate; per call of malloc or free.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildAllocating, buildTracer, emptied, hasProgram, tracing } from "../allocating.mjs";
import { interleaved } from "../measure.mjs";

const pairs = 200_000;
const depth = 10;

export function heapProfiling(folder) {
  if (!hasProgram("cc")) return [];
  const program = [buildAllocating(folder), String(pairs), String(depth)];
  const library = buildTracer(folder);
  const reports = join(folder, "reports");
  const command = (name, argv, more = {}) => ({ name, argv: [...argv, ...program], directory: folder, environment: process.env, ...more });
  const valgrind = (tool, ...options) =>
    command(`valgrind --tool=${tool}`, ["valgrind", "-q", `--tool=${tool}`, `--${tool}-out-file=${join(folder, tool)}`, ...options]);
  // Whatever it does, a tool takes its time to begin.
  const empty = ({ argv, ...rest }) => ({ ...rest, argv: [...argv.slice(0, -2), "0", "1"], before: rest.before });
  const traced = command("preload (perfkeep)", [], { environment: tracing(folder, library), before: () => emptied(folder) });
  const tools = [
    ...(hasProgram("valgrind") ? [valgrind("dhat", "--num-callers=128"), valgrind("massif", "--detailed-freq=1", "--threshold=0")] : []),
    ...(hasProgram("heaptrack")
      ? [command("heaptrack", ["heaptrack", "-o", reports], { before: () => rmSync(`${reports}.zst`, { force: true }) })]
      : []),
  ];
  const ways = [traced, ...tools];
  const times = interleaved([command("plain", []), ...ways, ...ways.map(empty)], 3);
  const [plain, ...rest] = times;
  return ways.map(({ name }, at) => {
    const own = rest[at] - rest[ways.length + at];
    const each = (own * 1e6) / (2 * pairs);
    return {
      what: `${name}: ${each.toFixed(0)} ns a call of malloc or free`,
      of: "not traced",
      milliseconds: rest[at],
      ratio: rest[at] / plain,
    };
  });
}
