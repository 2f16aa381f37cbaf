import type { Unit } from "../../core/values/index.ts";
import { isName, type Variable } from "../../core/variables/index.ts";
import type { ColumnDraft } from "./drafts.ts";
import { unitOfHeading } from "./line-rules.ts";

const longestName = 40;

/** Makes unique names of variables from headings. */
export class HeadingNames {
  readonly #taken = new Set<string>();

  of(heading: string): string {
    const plain = nameOf(heading);
    let name = plain;
    for (let count = 2; this.#taken.has(name.toLowerCase()); count++) name = `${plain}_${count}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

function nameOf(heading: string): string {
  const bare = heading
    .normalize("NFC")
    .replaceAll(/[([][^()[\]]*[)\]]/g, (part) => (unitOfHeading(` ${part}`) ? " " : part))
    .replaceAll("%", " percent ")
    .replaceAll("+/-", " ");
  const name = bare.replaceAll(/[^\p{L}\p{N}]+/gu, "_").replaceAll(/^_+|_+$/g, "");
  return named(name.length > longestName ? name.slice(-longestName).replace(/^[^_]*_/, "") : name);
}

function named(name: string): string {
  if (name === "") return "value";
  return isName(name) ? name : `n_${name}`;
}

/** Matches any of the words at the end of a name or of one of its parts. */
function wordsPattern(words: string): RegExp {
  return new RegExp(`(?:${words.split(" ").join("|")})(?:\\b|_|$)`, "i");
}

const conditions = wordsPattern(
  "size bytes? length count threads? procs? process(?:es|ors?)? tasks? ranks? nodes? cores? cpus? gpus? " +
    "iter iterations? repetitions? reps offset order block depth level seed step steps stride dimension " +
    "grid pairs window number num calls? counts? unknowns equations index id port version batch clients? " +
    "jobs? files? items atoms n nb p q nx ny nz npx npy npz ngl test label kb reclen interval",
);
const outcomes = wordsPattern(
  "time sec seconds latency bandwidth rate throughput flops? mop speed perf performance elapsed wall " +
    "duration usec msec avg average mean min max median std stddev dev score energy error residual total " +
    "retr lost jitter percent memory rating",
);
const rates =
  /(?:bandwidth|rate|throughput|flops?|mops?|iops|ops|speed|performance|rating|mb_s|gb_s|per_sec)(?:\b|_|$)/i;

/** Whether a number is a condition or an outcome of the measurement, judged by its name, unit and values. */
export function roleOf(column: ColumnDraft, name: string, unit: Unit | undefined): Variable["role"] {
  if (column.type === "text") return "parameter";
  const isInteger = column.cells.every(({ text }) => /^[+-]?\d+$/.test(text));
  const isTimed = unit?.factors.some(({ base }) => ["s", "h", "d", "Hz"].includes(base)) ?? false;
  if (isTimed || !isInteger || outcomes.test(name)) return "result";
  return conditions.test(name) ? "parameter" : unit ? "parameter" : "result";
}

/** Which direction is an improvement, where unit or name leave no doubt. */
export function betterOf(name: string, unit: Unit | undefined): Variable["better"] {
  const exponents = unit?.factors.filter(({ base }) => ["s", "h", "d"].includes(base)).map(({ exponent }) => exponent);
  const [exponent] = exponents ?? [];
  if (exponent !== undefined && (unit?.factors.length ?? 0) > 1 && exponent < 0) return "higher";
  if (rates.test(name)) return "higher";
  if (exponent === 1 && unit?.factors.length === 1) return "lower";
  return /(?:latency|time|elapsed)(?:_|$)/i.test(name) ? "lower" : undefined;
}
