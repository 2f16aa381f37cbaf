import type { BenchmarkCase } from "../../../core/measurements/index.ts";

/** The name of a case in formats without parameters: `Encode/format=json/size=10`. */
export function caseName({ benchmark, parameters }: BenchmarkCase): string {
  return [benchmark, ...[...parameters].map(([name, value]) => `${name}=${value}`)].join("/");
}

/** A unique key of a case. */
export function caseKey({ benchmark, parameters }: BenchmarkCase): string {
  return JSON.stringify([benchmark, ...parameters]);
}

/**
 * Assigns unique names: the first owner of a name keeps it, later ones get a suffix such as `#01`, as in Go.
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

  /** The name of an owner that does not occur again. */
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
