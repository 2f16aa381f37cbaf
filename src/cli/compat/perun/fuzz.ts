import { exitStatus } from "../../../core/failures/kind.ts";
import { fuzz as own } from "../../verbs/verdicts/fuzz.ts";
import type { Verb } from "../../verb.ts";

/** Perun's fuzz tells what it found and ends with 0 all the same. */
export const fuzz: Verb = {
  ...own,
  details: (own.details ?? "").replace(/\n\nExit status: [^]*/, ""),
  async run(session, args) {
    const status = (await own.run?.(session, args)) ?? exitStatus.fine;
    return status === exitStatus.found ? exitStatus.fine : status;
  },
};
