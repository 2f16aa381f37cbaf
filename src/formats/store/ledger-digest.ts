import { isDigest, type Digest } from "../../core/digest.ts";
import { Failure } from "../../core/errors.ts";
import type { JsonFields } from "../json/json-fields.ts";

/** An object's name. Fails with `ledger-damaged`. */
export function digestOf(fields: JsonFields, name: string): Digest {
  const text = fields.text(name);
  if (!isDigest(text)) throw new Failure("ledger-damaged", { entry: text.slice(0, 40), problem: `'${name}' is no name of an object` });
  return text;
}
