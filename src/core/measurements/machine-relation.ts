import { factsOfClass } from "./machine-facts.ts";

/** Whether two measurements are of the same machine, by its fingerprint or class; unknown: it cannot be compared. */
export type MachineRelation = "same" | "other" | "unknown";

/**
 * Compares two machines by their fingerprints, or by the facts that both classes have (null: unknown). By default,
 * measurements of other machines are not compared; unknown machines are compared, with a note.
 */
export function sameMachine(a: string | null, b: string | null): MachineRelation {
  if (a === null || b === null) return "unknown";
  if (a === b) return "same";
  const [facts, others] = [factsOfClass(a), factsOfClass(b)];
  if (facts === null && others === null) return "other";
  if (facts === null || others === null) return "unknown";
  const shared = [...facts].filter(([name]) => others.has(name));
  if (shared.length === 0) return "unknown";
  return shared.every(([name, text]) => others.get(name) === text) ? "same" : "other";
}

/**
 * The machines with this fingerprint or class; else those whose fingerprint starts with it, or whose class contains it,
 * ignoring case.
 */
export function machinesNamed(machines: readonly string[], name: string): readonly string[] {
  if (machines.includes(name)) return [name];
  const text = name.trim().toLowerCase();
  if (text === "") return [];
  return machines.filter((machine) => {
    const known = machine.toLowerCase();
    return factsOfClass(machine) === null ? known.startsWith(text) : known.includes(text);
  });
}
