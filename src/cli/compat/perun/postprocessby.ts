import { postprocessby as own } from "../../verbs/profiles/postprocessby.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";

/** Ours takes Perun's words as they are; here it gives Perun's numbers as well. */
export async function postprocessby(session: Session, words: readonly string[]): Promise<Verb> {
  const verb = await own(session, words);
  const arranged = (given: readonly string[]): readonly string[] => verb.arrange?.(given) ?? given;
  return { ...verb, arrange: (given) => withCompat(arranged(given)) };
}

/** Behind the unit and the profile, which come first. */
function withCompat(words: readonly string[]): readonly string[] {
  return words.length < 2 ? words : [...words.slice(0, 2), "--compat=perun", ...words.slice(2)];
}
