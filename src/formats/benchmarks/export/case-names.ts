import type { BenchmarkCase } from "../../../core/measurements/measurement.ts";

/** `Encode/format=json/size=10`: how a benchmark with its parameters is called where there is only a name. */
export function caseName({ benchmark, parameters }: BenchmarkCase): string {
  return [benchmark, ...[...parameters].map(([name, value]) => `${name}=${value}`)].join("/");
}

/** Tells any two cases apart. */
export function caseKey({ benchmark, parameters }: BenchmarkCase): string {
  return JSON.stringify([benchmark, ...parameters]);
}

/**
 * Gives every owner a name that no other has: the first keeps it, a later one gets `#01`, as Go numbers equal names, or
 * another mark.
 */
export class CaseNames {
  readonly #mark: string;
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  constructor(mark = "#") {
    this.#mark = mark;
  }

  of(owner: string, wanted: string): string {
    const known = this.#names.get(owner);
    if (known !== undefined) return known;
    const name = this.next(wanted);
    this.#names.set(owner, name);
    return name;
  }

  /** Of an owner that does not come again. */
  next(wanted: string): string {
    let name = wanted;
    while (this.#taken.has(name)) {
      const count = (this.#counts.get(wanted) ?? 0) + 1;
      this.#counts.set(wanted, count);
      name = `${wanted}${this.#mark}${String(count).padStart(2, "0")}`;
    }
    this.#taken.add(name);
    return name;
  }
}
