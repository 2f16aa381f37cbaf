import { isFailure } from "../../../core/failures/index.ts";
import {
  StackSamples,
  type SampleLabel,
  type StackFacts,
  type StackFrame,
  type StackModule,
  type StackProfile,
  type ValueType,
  StackTable,
} from "../../../core/profiles/index.ts";
import { ProtobufReader, wire } from "../../bytes/index.ts";

/**
 * Reads an uncompressed pprof profile (message Profile of github.com/google/pprof/blob/main/proto/profile.proto):
 * frames with module, address, source and line, inlined calls as separate frames, labels, and all value types. Does not
 * apply the profile's frame filters. The main type is the declared default, or the last. Fails with
 * `bad-stack-profile`.
 */
export function readPprof(bytes: Uint8Array, file: string): StackProfile {
  return new PprofReader(new ProtobufReader(bytes, file)).read();
}

/** Wire type of each field of the message Profile; −1 allows any. */
const wires = [-1, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 2, 0, -1, 0, 0];

/** Whether a file starts like a profile: known fields with the right wire types. */
export function isPprof(head: Uint8Array): boolean {
  const reader = new ProtobufReader(head, "");
  let [fields, types] = [0, 0];
  try {
    for (; reader.next(); fields++) {
      const known = reader.field < wires.length ? wires[reader.field]! : -2;
      if (known === -2 || (known >= 0 && known !== reader.wire)) return false;
      if (reader.field !== 1) reader.skip();
      else if (isValueType(reader.message())) types++;
      else return false;
    }
  } catch (error) {
    if (!isFailure(error)) throw error;
    // The head may end within a field.
    if (fields < 1) return false;
  }
  return fields > 1 && (types > 0 || fields > 7);
}

function isValueType(reader: ProtobufReader): boolean {
  for (; reader.next(); reader.skip()) if (reader.field > 2 || reader.wire !== wire.varint) return false;
  return true;
}

/** A location of the program with its calls, innermost first. */
interface Location {
  readonly module: number;
  readonly address: bigint;
  readonly lines: readonly { readonly function: number; readonly line: number; readonly column: number }[];
  /** Frame numbers, outermost first; computed lazily. */
  frames?: readonly number[];
}

interface PprofFunction {
  readonly name: number;
  readonly systemName: number;
  readonly file: number;
  readonly startLine: number;
}

class PprofReader {
  readonly #strings: string[] = [];
  readonly #types: (readonly [name: number, unit: number])[] = [];
  readonly #samples: ProtobufReader[] = [];
  readonly #modules = new Map<number, StackModule>();
  readonly #mappings: { id: number; start: bigint; limit: bigint; offset: bigint; path: number; build: number }[] = [];
  readonly #locations = new Map<number, Location>();
  readonly #functions = new Map<number, PprofFunction>();
  /** Numeric fields of the profile. */
  readonly #numbers = new Map<number, bigint>();
  readonly #comments: number[] = [];
  #periodType: readonly [name: number, unit: number] | null = null;
  readonly #stacks = new StackTable<StackFrame>();
  readonly #reader: ProtobufReader;

  constructor(reader: ProtobufReader) {
    this.#reader = reader;
  }

  read(): StackProfile {
    while (this.#reader.next()) this.#takeField(this.#reader);
    if (this.#types.length === 0 || this.#strings[0] !== "")
      throw this.#reader.bad("it has no value types, or no strings");
    for (const { id, start, limit, offset, path, build } of this.#mappings) {
      const buildId = this.#string(build);
      const module = { path: this.#string(path), start, limit, offset, ...(buildId === "" ? {} : { buildId }) };
      this.#modules.set(id, module);
    }
    const types = this.#types.map(([name, unit]) => ({ name: this.#string(name), unit: this.#string(unit) }));
    const samples = new StackSamples(types.length);
    for (const sample of this.#samples) this.#takeSample(sample, samples);
    return { stacks: this.#stacks, types, main: this.#mainOf(types), samples, facts: this.#facts() };
  }

  #takeField(reader: ProtobufReader): void {
    const { field } = reader;
    if (field === 1) this.#types.push(valueType(reader.message()));
    else if (field === 2) this.#samples.push(reader.message());
    else if (field === 3) this.#takeModule(reader.message());
    else if (field === 4) this.#takeLocation(reader.message());
    else if (field === 5) this.#takeFunction(reader.message());
    else if (field === 6) this.#strings.push(reader.text());
    else if (field === 11) this.#periodType = valueType(reader.message());
    else if (field === 13) reader.ints((comment) => this.#comments.push(comment));
    else if (field < 16) this.#numbers.set(field, reader.uint());
    else reader.skip();
  }

  #takeModule(reader: ProtobufReader): void {
    const [, id = 0n, start = 0n, limit = 0n, offset = 0n, path = 0n, build = 0n] = numbersOf(reader, 6);
    this.#mappings.push({ id: Number(id), start, limit, offset, path: Number(path), build: Number(build) });
  }

  #takeLocation(reader: ProtobufReader): void {
    let [id, module, address] = [0, 0, 0n];
    const lines: { function: number; line: number; column: number }[] = [];
    while (reader.next()) {
      if (reader.field === 1) id = Number(reader.uint());
      else if (reader.field === 2) module = Number(reader.uint());
      else if (reader.field === 3) address = reader.uint();
      else if (reader.field === 4) {
        const [, function_ = 0n, line = 0n, column = 0n] = numbersOf(reader.message(), 3);
        lines.push({ function: Number(function_), line: signed(line), column: signed(column) });
      } else reader.skip();
    }
    if (id === 0 || this.#locations.has(id)) throw this.#reader.bad("two locations have the same id, or one has none");
    this.#locations.set(id, { module, address, lines });
  }

  #takeFunction(reader: ProtobufReader): void {
    const [, id = 0n, name = 0n, systemName = 0n, file = 0n, startLine = 0n] = numbersOf(reader, 5);
    if (id === 0n || this.#functions.has(Number(id)))
      throw this.#reader.bad("two functions have the same id, or one has none");
    this.#functions.set(Number(id), {
      name: Number(name),
      systemName: Number(systemName),
      file: Number(file),
      startLine: signed(startLine),
    });
  }

  #takeSample(reader: ProtobufReader, samples: StackSamples): void {
    const locations: number[] = [];
    const values: number[] = [];
    const labels = new Map<string, SampleLabel[]>();
    while (reader.next()) {
      if (reader.field === 1) reader.ints((location) => locations.push(location));
      else if (reader.field === 2) reader.ints((value) => values.push(value));
      else if (reader.field === 3) this.#takeLabel(reader.message(), labels);
      else reader.skip();
    }
    if (values.length !== this.#types.length)
      throw this.#reader.bad(`a sample has ${values.length} values for ${this.#types.length} types`);
    let stack = 0;
    for (const location of locations.toReversed())
      for (const frame of this.#framesAt(location)) stack = this.#stacks.called(stack, frame);
    samples.add(stack, values, labels.size === 0 ? 0 : samples.labels(labels));
  }

  #takeLabel(reader: ProtobufReader, labels: Map<string, SampleLabel[]>): void {
    const [, key = 0n, text = 0n, number = 0n, unit = 0n] = numbersOf(reader, 4);
    const name = this.#string(Number(key));
    const label =
      text === 0n ? { value: signed(number), unit: this.#string(Number(unit)) } : this.#string(Number(text));
    const known = labels.get(name);
    if (known === undefined) labels.set(name, [label]);
    else known.push(label);
  }

  #framesAt(id: number): readonly number[] {
    const location = this.#locations.get(id);
    if (location === undefined) throw this.#reader.bad("a sample refers to an undefined location");
    return (location.frames ??= this.#framesOf(location));
  }

  #framesOf({ module, address, lines }: Location): number[] {
    const known = this.#modules.get(module);
    if (module !== 0 && known === undefined) throw this.#reader.bad("a location refers to an undefined mapping");
    const position = { ...(known === undefined ? {} : { module: known }), ...(address === 0n ? {} : { address }) };
    const key = `${module} ${address}`;
    if (lines.length === 0) return [this.#stacks.frame(key, () => ({ function: "", ...position }))];
    const frames = lines.map(({ function: id, line, column }, at) => {
      const inlined = at < lines.length - 1;
      return this.#stacks.frame(`${key} ${id} ${line} ${column} ${inlined}`, () => ({
        ...this.#functionOf(id),
        ...position,
        ...(line === 0 ? {} : { line }),
        ...(column === 0 ? {} : { column }),
        ...(inlined ? { inlined } : {}),
      }));
    });
    return frames.toReversed();
  }

  #functionOf(id: number): StackFrame {
    const called = this.#functions.get(id);
    if (called === undefined) throw this.#reader.bad("a line refers to an undefined function");
    const [name, systemName, source] = [called.name, called.systemName, called.file].map((at) => this.#string(at));
    return {
      function: name!,
      ...(systemName === "" || systemName === name ? {} : { systemName: systemName! }),
      ...(source === "" ? {} : { source: source! }),
      ...(called.startLine === 0 ? {} : { startLine: called.startLine }),
    };
  }

  #mainOf(types: readonly ValueType[]): number {
    const declared = this.#string(Number(this.#numbers.get(14) ?? 0n));
    const at = declared === "" ? -1 : types.findIndex(({ name }) => name === declared);
    return at < 0 ? types.length - 1 : at;
  }

  #facts(): StackFacts {
    const text = (field: number): string => this.#string(Number(this.#numbers.get(field) ?? 0n));
    const texts = { dropFrames: text(7), keepFrames: text(8), documentation: text(15) };
    const started = BigInt.asIntN(64, this.#numbers.get(9) ?? 0n);
    const duration = signed(this.#numbers.get(10) ?? 0n);
    const [period, type] = [signed(this.#numbers.get(12) ?? 0n), this.#periodType];
    const [name, unit] = (type ?? [0, 0]).map((at) => this.#string(at));
    const comments = this.#comments.map((at) => this.#string(at));
    return {
      ...(started === 0n ? {} : { started }),
      ...(duration === 0 ? {} : { duration }),
      ...(type === null && period === 0 ? {} : { period: { type: { name: name!, unit: unit! }, value: period } }),
      ...(comments.length === 0 ? {} : { comments }),
      ...Object.fromEntries(Object.entries(texts).filter(([, each]) => each !== "")),
      ...(this.#modules.size === 0 ? {} : { modules: [...this.#modules.values()] }),
    };
  }

  #string(at: number): string {
    const text = this.#strings[at];
    if (text === undefined) throw this.#reader.bad("it refers to an undefined string");
    return text;
  }
}

/** The numeric fields of a message up to `last`, by field number; other fields are skipped. */
function numbersOf(reader: ProtobufReader, last: number): (bigint | undefined)[] {
  const numbers: (bigint | undefined)[] = [];
  while (reader.next()) {
    if (reader.field <= last) numbers[reader.field] = reader.uint();
    else reader.skip();
  }
  return numbers;
}

function valueType(reader: ProtobufReader): readonly [name: number, unit: number] {
  const [, name = 0n, unit = 0n] = numbersOf(reader, 2);
  return [Number(name), Number(unit)];
}

function signed(value: bigint): number {
  return Number(BigInt.asIntN(64, value));
}
