import { StackSamples, type StackFrame, type StackProfile, type ValueType } from "../../core/profiles/stack-profile.ts";
import { StackTable } from "../../core/profiles/stack-table.ts";
import { NumberList } from "../bytes/number-list.ts";
import { readJsonStream, type JsonStream } from "../json/json-stream.ts";
import { PlacedStacks } from "./frame-index-stacks.ts";
import { positive, ProfileDocument, type DocumentObject } from "./profiler-document.ts";

/** What one profile of a document says. */
interface SpeedscopeProfile {
  readonly name: string;
  readonly unit: string;
  /** By stack of places; none is zero. */
  readonly amounts: ReadonlyMap<number, number>;
}

/** Beyond it no place of a frame can be. */
const mostFrames = 2 ** 30;

/** What the two kinds of profiles consist of. */
const lists: Readonly<Record<string, readonly string[]>> = { evented: ["events"], sampled: ["samples", "weights"] };

/** Reads the profile that comes next. Fails with `bad-stack-profile`. */
async function readSpeedscopeProfile(
  json: JsonStream,
  document: ProfileDocument,
  stacks: PlacedStacks,
): Promise<SpeedscopeProfile> {
  const told = new Map<string, unknown>();
  const events = new SpeedscopeEvents(document, stacks);
  const [samples, weights] = [new NumberList(), new NumberList()];
  const takeSamples = (values: readonly unknown[]): void => {
    for (const value of values) samples.push(stackOf(value, document, stacks));
  };
  await json.members("a profile", async (key) => {
    told.set(key, null);
    if (key === "events") await json.elements("'events'", (values) => events.take(values));
    else if (key === "samples") await json.elements("'samples'", takeSamples);
    else if (key === "weights") await json.numbers("'weights'", weights);
    else told.set(key, await json.value());
  });
  const [name, unit, type] = [
    told.get("name"),
    document.text(told.get("unit"), "the unit of a profile"),
    told.get("type"),
  ];
  if (type !== "evented" && type !== "sampled") throw document.bad("a profile is neither evented nor sampled");
  for (const list of lists[type]!) if (!told.has(list)) throw document.bad(`'${list}' is no list`);
  const amounts = type === "evented" ? events.end(told.get("endValue")) : weighted(samples, weights, document);
  return { name: typeof name === "string" ? name : "", unit, amounts };
}

function stackOf(value: unknown, document: ProfileDocument, stacks: PlacedStacks): number {
  return document
    .list(value, "a sample")
    .reduce((caller: number, frame) => stacks.called(caller, placeOf(frame, document)), 0);
}

function placeOf(value: unknown, document: ProfileDocument): number {
  return document.place(value, mostFrames, "a frame");
}

function weighted(samples: NumberList, weights: NumberList, document: ProfileDocument): Map<number, number> {
  if (samples.length !== weights.length)
    throw document.bad(`there are ${samples.length} samples and ${weights.length} weights`);
  const amounts = new Map<number, number>();
  for (let at = 0; at < samples.length; at++) addTo(amounts, samples.at(at), weights.at(at));
  return amounts;
}

function addTo(amounts: Map<number, number>, stack: number, amount: number): void {
  if (stack > 0 && amount !== 0) amounts.set(stack, (amounts.get(stack) ?? 0) + amount);
}

/** What is open between two events is what ran. A frame that is closed closes those within it. */
class SpeedscopeEvents {
  readonly #document: ProfileDocument;
  readonly #stacks: PlacedStacks;
  readonly #amounts = new Map<number, number>();
  #stack = 0;
  #now = Number.NaN;

  constructor(document: ProfileDocument, stacks: PlacedStacks) {
    this.#document = document;
    this.#stacks = stacks;
  }

  take(values: readonly unknown[]): void {
    const document = this.#document;
    for (const value of values) {
      const { type, at, frame } = document.object(value, "an event");
      this.#advance(document.number(at, "the time of an event"));
      if (type === "O") this.#stack = this.#stacks.called(this.#stack, placeOf(frame, document));
      else if (type === "C") this.#stack = this.#closed(placeOf(frame, document));
      else throw document.bad("an event neither opens nor closes a frame");
    }
  }

  end(endValue: unknown): ReadonlyMap<number, number> {
    if (this.#stack > 0) this.#advance(Math.max(this.#now, this.#document.number(endValue, "'endValue'")));
    return this.#amounts;
  }

  #advance(at: number): void {
    if (at < this.#now) throw this.#document.bad("an event comes before the one it stands behind");
    if (this.#stack > 0) addTo(this.#amounts, this.#stack, at - this.#now);
    this.#now = at;
  }

  #closed(place: number): number {
    const stacks = this.#stacks;
    for (let at = this.#stack; at > 0; at = stacks.callerOf(at))
      if (stacks.placeOf(at) === place) return stacks.callerOf(at);
    throw this.#document.bad("an event closes a frame that is not open");
  }
}

/** The label that tells which profile of a document a sample is of. */
export const profileLabel = "profile";

/**
 * Reads a document of speedscope (https://www.speedscope.app/file-format-schema.json): all its profiles, each of events
 * (`O` opens a frame, `C` closes it) or of samples with weights. Values are in the unit of their profile; a type for
 * each unit. Of the samples no more than the numbers of their stacks and their weights is kept. Fails with
 * `bad-stack-profile`.
 */
export async function readSpeedscope(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const document = new ProfileDocument(file, "speedscope");
  const places = new PlacedStacks();
  const profiles: SpeedscopeProfile[] = [];
  let [frames, name]: unknown[] = [];
  await readJsonStream(
    source,
    (reason) => document.bad(reason),
    (json) =>
      json.members("the document", async (key) => {
        if (key === "shared") frames = document.object(await json.value(), "'shared'")["frames"];
        else if (key === "name") name = await json.value();
        else if (key !== "profiles") await json.skip();
        else
          await json.each(
            "'profiles'",
            async () => void profiles.push(await readSpeedscopeProfile(json, document, places)),
          );
      }),
  );
  const stacks = new StackTable<StackFrame>();
  const numbers = document
    .list(frames, "'shared.frames'")
    .map((frame) => frameNumber(document, document.object(frame, "a frame"), stacks));
  if (profiles.length === 0) throw document.bad("it has no profile");
  const { types, samples } = samplesOf(profiles, nodesOf(places, numbers, stacks, document));
  const told = [name, profiles[0]?.name].find((each) => typeof each === "string" && each !== "");
  return { stacks, types, main: 0, samples, facts: typeof told === "string" ? { name: told } : {} };
}

function frameNumber(
  document: ProfileDocument,
  { name, file, line, col }: DocumentObject,
  stacks: StackTable<StackFrame>,
): number {
  const function_ = document.text(name, "the name of a frame");
  const [source, row, column] = [typeof file === "string" ? file : undefined, positive(line), positive(col)];
  const frame: StackFrame = {
    function: function_,
    ...(source === undefined ? {} : { source }),
    ...(row === undefined ? {} : { line: row }),
    ...(column === undefined ? {} : { column }),
  };
  return stacks.frame(JSON.stringify([function_, source, row, column]), () => frame);
}

/** The node of each stack of places. Every stack comes after the one that called it. */
function nodesOf(
  places: PlacedStacks,
  frames: readonly number[],
  stacks: StackTable<StackFrame>,
  document: ProfileDocument,
): Int32Array {
  const nodes = new Int32Array(places.size);
  for (let stack = 1; stack < nodes.length; stack++) {
    const frame = frames[document.place(places.placeOf(stack), frames.length, "a frame")]!;
    nodes[stack] = stacks.called(nodes[places.callerOf(stack)]!, frame);
  }
  return nodes;
}

/** A label tells profiles apart where there are several. */
function samplesOf(
  profiles: readonly SpeedscopeProfile[],
  nodes: Int32Array,
): { readonly types: ValueType[]; readonly samples: StackSamples } {
  const units = [...new Set(profiles.map(({ unit }) => unit))];
  const samples = new StackSamples(units.length);
  for (const { name, unit, amounts } of profiles) {
    const labels = profiles.length === 1 ? 0 : samples.labels(new Map([[profileLabel, [name]]]));
    const type = units.indexOf(unit);
    for (const [stack, amount] of amounts) samples.addTo(samples.row(nodes[stack]!, labels), type, amount);
  }
  return { types: units.map(typeOf), samples };
}

/** speedscope names units alone. */
function typeOf(unit: string): ValueType {
  if (unit === "bytes") return { name: "space", unit };
  return unit === "none" ? { name: "weight", unit: "count" } : { name: "time", unit };
}
