import { isObject, JsonNumber } from "../values/index.ts";
import type { Run } from "./run.ts";

/**
 * Start, in Unix milliseconds, of the run that measured the repetitions of several commits round by round; null: the
 * profile was measured on its own.
 */
export function measuringSession({ extra }: Pick<Run, "extra">): number | null {
  const session = extra.get("session");
  const started = isObject(session) ? session.get("begun") : undefined;
  return started instanceof JsonNumber ? Number(started.text) : null;
}
