import { ExperimentsPart, type ReplayBy } from "./experiments-part.ts";
import { FoundChanges } from "./found-changes.ts";
import { ObjectsPart } from "./objects-part.ts";
import { Registrations } from "./registrations.ts";
import { SetPart } from "./set-part.ts";
import type { SharePart } from "./share-part.ts";

/** All that instances share, for one push or pull: parts may keep in mind what they told each other. What refers to something stands before it. */
export function shareParts(replay: ReplayBy): readonly SharePart[] {
  const registrations = new Registrations();
  return [
    new SetPart(new FoundChanges()),
    new SetPart(registrations),
    new ObjectsPart(registrations),
    new ExperimentsPart(replay),
  ];
}
