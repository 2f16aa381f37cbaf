import { Failure } from "../../../core/failures/failure.ts";
import type { StackFacts, StackProfile, ValueType } from "../../../core/profiles/stack-profile.ts";
import { addressesIn, LegacyStacks, namedPlace } from "./address-stacks.ts";
import { contentionForm, countForm, heapForm, javaForm, type LegacyForm } from "./pprof-legacy-forms.ts";

const mapBegins = /^(?:--- Memory map: ---|MAPPED_LIBRARIES:)/;

/** Reads a profile that is text. Fails with `bad-stack-profile`, `no-stacks`. */
export function readLegacyText(text: string, file: string): StackProfile {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  const head = lines[first] ?? "";
  if (/^--- (?:threadz|Thread) /.test(head)) return readThreads(lines.slice(first), file);
  const form = formOf(head, lines.slice(first + 1, first + 50));
  if (form === null) throw new Failure("no-stacks", { file, what: "pprof's old forms" });
  return new LegacyTextReader(form, file).read(lines.slice(first + 1));
}

function formOf(head: string, next: readonly string[]): LegacyForm | null {
  const isJava = next.some((line) => /^format *= *java\b/.test(line.trim()));
  if (isJava) return javaForm(head);
  return heapForm(head) ?? contentionForm(head) ?? countForm(head);
}

class LegacyTextReader {
  readonly #form: LegacyForm;
  readonly #file: string;
  readonly #stacks: LegacyStacks;
  readonly #attributes = new Map<string, string>();

  constructor(form: LegacyForm, file: string) {
    this.#form = form;
    this.#file = file;
    this.#stacks = new LegacyStacks(form.types);
  }

  read(lines: readonly string[]): StackProfile {
    const map = lines.findIndex((line) => mapBegins.test(line.trim()));
    for (const line of map < 0 ? lines : lines.slice(0, map)) this.#takeLine(line);
    if (map >= 0) for (const line of lines.slice(map + 1)) this.#stacks.takeMapping(line);
    if (this.#stacks.isEmpty) throw new Failure("no-stacks", { file: this.#file, what: "pprof's old forms" });
    return this.#stacks.finished(this.#form.types.length - 1, this.#facts(this.#form.periodType));
  }

  #takeLine(line: string): void {
    const [, key, content] = /^\s*([a-z][a-z /]*?)\s*=\s*(.*)$/i.exec(line) ?? [];
    if (key !== undefined && !line.includes("@")) return void this.#attributes.set(key.toLowerCase(), content ?? "");
    const [, values, addresses] = /^\s*([-\d:[\] ]+?)\s*@(.*)$/.exec(line) ?? [];
    if (values !== undefined) return this.#takeSample(values, addresses ?? "");
    // Go tells names in comments below the samples.
    const named = namedPlace(line.replace(/^#/, ""));
    if (named !== null) this.#stacks.name(named[0], goPlace(named[1].function) ?? named[1]);
  }

  #takeSample(values: string, addresses: string): void {
    const numbers = [...values.matchAll(/-?\d{1,18}/g)].map(([text]) => Number(text));
    const sample = this.#form.valuesOf(numbers, this.#attributes);
    if (sample === null)
      throw new Failure("bad-stack-profile", {
        file: this.#file,
        format: "pprof's old forms",
        reason: `'${values.slice(0, 40)}' is no sample`,
      });
    this.#stacks.add(addressesIn(addresses), sample.values, sample.labels);
  }

  #facts(periodType: ValueType | undefined): StackFacts {
    const value = this.#form.period(this.#attributes);
    return periodType === undefined || value <= 0 ? {} : { period: { type: periodType, value } };
  }
}

/** `runtime.gopark+0x104	/go/src/runtime/proc.go:425`: the name, the offset, the place. */
function goPlace(text: string): { function: string; source: string; line: number } | null {
  const [, name, source, line] = /^(\S+?)\+0x[0-9a-f]+\s+(\S.*):(\d{1,9})$/.exec(text) ?? [];
  return name === undefined ? null : { function: name, source: source ?? "", line: Number(line) };
}

/**
 * Reads a list of threads with the stack of each; a thread that is where the one before is says so. Fails with
 * `no-stacks`.
 */
function readThreads(lines: readonly string[], file: string): StackProfile {
  const stacks = new LegacyStacks([{ name: "thread", unit: "count" }]);
  let addresses: bigint[] | null = null;
  let isInMap = false;
  const finish = (): void => {
    if (addresses !== null && addresses.length > 0) stacks.add(addresses, [1]);
    else if (addresses !== null) stacks.repeat();
    addresses = null;
  };
  for (const line of lines) {
    if (line.startsWith("---") || line.startsWith("MAPPED_LIBRARIES:")) {
      finish();
      isInMap = !line.startsWith("--- Thread ");
      if (!isInMap) addresses = [];
    } else if (isInMap) stacks.takeMapping(line);
    else if (addresses !== null && !line.includes("same as previous thread")) {
      addresses.push(...addressesIn(line));
      const named = namedPlace(line.replace(/^\s*PC:/, "").replace(/^(\s*0x[0-9a-f]+):/i, "$1"));
      if (named !== null && !named[1].function.startsWith("0x")) stacks.name(...named);
    }
  }
  finish();
  if (stacks.isEmpty) throw new Failure("no-stacks", { file, what: "pprof's old forms" });
  return stacks.finished(0, {});
}
