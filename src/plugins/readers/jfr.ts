import { readAllBytes } from "../../formats/bytes/index.ts";
import { isJfr, readJfr } from "../../formats/stacks/index.ts";
import { stackReader, type Reader } from "./reader.ts";

export const jfr: Reader = stackReader(
  "jfr",
  "recordings of Java Flight Recorder and async-profiler",
  (head) => (isJfr(head) ? 0.95 : 0),
  async (source, file) => readJfr(await readAllBytes(source, file), file),
);
