import { readAllBytes } from "../../formats/bytes/index.ts";
import { jsonOutline } from "../../formats/json/index.ts";
import {
  isCali,
  isPstats,
  isTau,
  readCali,
  readCallgrind,
  readCaliper,
  readGprof,
  readHatchet,
  readPstats,
  readTau,
} from "../../formats/stacks/index.ts";
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

/** Longer texts do not fit into a string. */
const longestText = 500 << 20;

export const caliper: Reader = stackReader(
  "caliper",
  "profiles of Caliper: .cali, and JSON (json-split, json)",
  sniffCaliper,
  async (source, file) => {
    const bytes = await readAllBytes(source, file, longestText);
    const start = new TextDecoder().decode(bytes.subarray(0, 200));
    return isCali(start) ? readCali(bytes, file) : readCaliper(bytes, file);
  },
);

/** The names of the columns come after the rows. */
function sniffCaliper(head: Uint8Array): number {
  if (isCali(new TextDecoder().decode(head.subarray(0, 200)))) return 0.95;
  const outline = jsonOutline(head);
  if (outline.has("column_metadata")) return outline.has("nodes[].label") ? 0.95 : 0.9;
  const text = new TextDecoder().decode(head.subarray(0, 200));
  if (outline.size === 1 && /^\s*\{\s*"data"\s*:\s*\[\s*\[\s*[-\d[]/.test(text)) return 0.6;
  const names = [...outline].map((name) => name.replace(/^(?:records)?(?:\[\]\.)?/, ""));
  return names.some((name) =>
    /^(?:inclusive#)?(?:sum|avg|min|max|count)?#?\w*(?:#|^)time\.(?:inclusive\.)?duration/.test(name),
  )
    ? 0.8
    : 0;
}

export const hatchet: Reader = stackReader(
  "hatchet",
  "call trees of Hatchet as JSON (to_literal, to_json)",
  (head) => {
    const outline = jsonOutline(head);
    const has = (...paths: readonly string[]): boolean => paths.every((path) => outline.has(path));
    if (has("dataframe_indices") || has("[].frame.name", "[].metrics") || has("[].metrics", "[].children")) return 0.9;
    return [...outline].some((path) => /^graph\[\]\.\d+\.data/.test(path)) || has("columns", "nodes[].name") ? 0.9 : 0;
  },
  async (source, file) => readHatchet(await readAllBytes(source, file, longestText), file),
);

export const tau: Reader = stackReader(
  "tau",
  "profiles of TAU, a file profile.N.C.T",
  (head) => (isTau(new TextDecoder().decode(head.subarray(0, 4096))) ? 0.95 : 0),
  async (source, file) => readTau(await readAllBytes(source, file, longestText), file),
);

export const pstats: Reader = stackReader(
  "pstats",
  "statistics of Python's cProfile and profile",
  (head) => (isPstats(head) ? 0.95 : 0),
  async (source, file) => readPstats(await readAllBytes(source, file, longestText), file),
);
