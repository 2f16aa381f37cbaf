import type { Digest } from "../../core/versions/digest.ts";
import { isFailure } from "../../core/failures/failure.ts";
import type { Engine } from "../../plugins/engines/engine.ts";
import { requireFreeName } from "../catalogue/catalogue.ts";

/** So many digits of its uid tell an experiment from others of its name; more where these are taken, too. */
const minDigits = 7;
/** Names have at most 128 characters. */
const maxStemLength = 80;

/** `wanted`, or what is like it, where another experiment has that name. `own`: what it is called now. */
export async function uniqueName(engine: Engine, wanted: string, uid: Digest, own?: string): Promise<string> {
  let name = wanted;
  for (let digits = minDigits; !(await isFree(engine, name, own)); digits++)
    name = `${wanted.slice(0, maxStemLength)}-${uid.slice(0, digits)}`;
  return name;
}

async function isFree(engine: Engine, name: string, own: string | undefined): Promise<boolean> {
  if (name.toLowerCase() === own?.toLowerCase()) return true;
  try {
    await requireFreeName(engine, name);
    return true;
  } catch (error) {
    if (isFailure(error, "experiment-exists")) return false;
    throw error;
  }
}
