import {
  StackSamples,
  type StackFrame,
  type StackProfile,
  type Timeline,
  TimelineBuilder,
  timelineOf,
  type ValueType,
  StackTable,
} from "../../core/profiles/index.ts";
import { NumberList } from "../bytes/index.ts";
import { readJsonStream, type JsonStream } from "../json/index.ts";
import { FrameIndexStacks } from "./frame-index-stacks.ts";
import { positive, ProfileDocument, type DocumentObject } from "./profiler-document.ts";

/** One profile of a document. */
interface SpeedscopeProfile {
  readonly name: string;
  readonly unit: string;
  /** Nonzero amounts by frame index stack. */
  readonly amounts: ReadonlyMap<number, number>;
  /** Of frame index stacks. */
  readonly order: TimelineBuilder;
}

/** Upper bound of frame indices. */
const maxFrames = 2 ** 30;

/** Required lists by type of profile. */
const requiredLists: Readonly<Record<string, readonly string[]>> = {
  evented: ["events"],
  sampled: ["samples", "weights"],
};

/** Reads the next profile. Fails with `bad-stack-profile`. */
async function readSpeedscopeProfile(
  json: JsonStream,
  document: ProfileDocument,
  stacks: FrameIndexStacks,
): Promise<SpeedscopeProfile> {
  const members = new Map<string, unknown>();
  const order = new TimelineBuilder();
  const events = new SpeedscopeEvents(document, stacks, order);
  const [samples, weights] = [new NumberList(), new NumberList()];
  const takeSamples = (values: readonly unknown[]): void => {
    for (const value of values) samples.push(stackOf(value, document, stacks));
  };
  await json.members("a profile", async (key) => {
    members.set(key, null);
    if (key === "events") await json.elements("'events'", (values) => events.take(values));
    else if (key === "samples") await json.elements("'samples'", takeSamples);
    else if (key === "weights") await json.numbers("'weights'", weights);
    else members.set(key, await json.value());
  });
  const unit = document.text(members.get("unit"), "the unit of a profile");
  const [name, type] = [members.get("name"), members.get("type")];
  if (type !== "evented" && type !== "sampled") throw document.bad("a profile is neither evented nor sampled");
  for (const list of requiredLists[type]!) if (!members.has(list)) throw document.bad(`'${list}' is not a list`);
  const amounts =
    type === "evented" ? events.end(members.get("endValue")) : sumWeights(samples, weights, document, order);
  return { name: typeof name === "string" ? name : "", unit, amounts, order };
}

function stackOf(value: unknown, document: ProfileDocument, stacks: FrameIndexStacks): number {
  return document
    .list(value, "a sample")
    .reduce((caller: number, frame) => stacks.called(caller, frameIndexOf(frame, document)), 0);
}

function frameIndexOf(value: unknown, document: ProfileDocument): number {
  return document.index(value, maxFrames, "a frame");
}

function sumWeights(
  samples: NumberList,
  weights: NumberList,
  document: ProfileDocument,
  order: TimelineBuilder,
): Map<number, number> {
  if (samples.length !== weights.length)
    throw document.bad(`there are ${samples.length} samples and ${weights.length} weights`);
  const amounts = new Map<number, number>();
  for (let at = 0; at < samples.length; at++) {
    addTo(amounts, samples.at(at), weights.at(at));
    order.add(samples.at(at), weights.at(at));
  }
  return amounts;
}

function addTo(amounts: Map<number, number>, stack: number, amount: number): void {
  if (stack > 0 && amount !== 0) amounts.set(stack, (amounts.get(stack) ?? 0) + amount);
}

/** Attributes the time between two events to the open frames. Closing a frame closes those within it. */
class SpeedscopeEvents {
  readonly #document: ProfileDocument;
  readonly #stacks: FrameIndexStacks;
  readonly #amounts = new Map<number, number>();
  readonly #order: TimelineBuilder;
  #stack = 0;
  #now = Number.NaN;

  constructor(document: ProfileDocument, stacks: FrameIndexStacks, order: TimelineBuilder) {
    this.#order = order;
    this.#document = document;
    this.#stacks = stacks;
  }

  take(values: readonly unknown[]): void {
    const document = this.#document;
    for (const value of values) {
      const { type, at, frame } = document.object(value, "an event");
      this.#advance(document.number(at, "the time of an event"));
      if (type === "O") this.#stack = this.#stacks.called(this.#stack, frameIndexOf(frame, document));
      else if (type === "C") this.#stack = this.#closed(frameIndexOf(frame, document));
      else throw document.bad("an event neither opens nor closes a frame");
    }
  }

  end(endValue: unknown): ReadonlyMap<number, number> {
    if (this.#stack > 0) this.#advance(Math.max(this.#now, this.#document.number(endValue, "'endValue'")));
    return this.#amounts;
  }

  #advance(at: number): void {
    if (at < this.#now) throw this.#document.bad("an event is earlier than the previous one");
    if (this.#stack > 0) addTo(this.#amounts, this.#stack, at - this.#now);
    this.#order.add(this.#stack, at - this.#now);
    this.#now = at;
  }

  #closed(frameIndex: number): number {
    const stacks = this.#stacks;
    for (let at = this.#stack; at > 0; at = stacks.callerOf(at))
      if (stacks.frameIndexOf(at) === frameIndex) return stacks.callerOf(at);
    throw this.#document.bad("an event closes a frame that is not open");
  }
}

/** The label that names the profile of a sample. */
export const profileLabel = "profile";

/**
 * Reads all profiles of a speedscope document (https://www.speedscope.app/file-format-schema.json), which consist of
 * events (`O` opens a frame, `C` closes it) or samples with weights. Each unit becomes a value type. Holds only stack
 * numbers and weights of samples in memory. Fails with `bad-stack-profile`.
 */
export async function readSpeedscope(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const document = new ProfileDocument(file, "speedscope");
  const indexStacks = new FrameIndexStacks();
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
            async () => void profiles.push(await readSpeedscopeProfile(json, document, indexStacks)),
          );
      }),
  );
  const stacks = new StackTable<StackFrame>();
  const numbers = document
    .list(frames, "'shared.frames'")
    .map((frame) => frameNumber(document, document.object(frame, "a frame"), stacks));
  if (profiles.length === 0) throw document.bad("it has no profile");
  const nodes = nodesOf(indexStacks, numbers, stacks, document);
  const { types, samples } = samplesOf(profiles, nodes);
  const timeline = timelineIn(profiles, nodes);
  const title = [name, profiles[0]?.name].find((each) => typeof each === "string" && each !== "");
  return {
    stacks,
    types,
    main: 0,
    samples,
    facts: typeof title === "string" ? { name: title } : {},
    ...(timeline === undefined ? {} : { timeline }),
  };
}

const timeUnits = ["nanoseconds", "microseconds", "milliseconds", "seconds"];

/** What ran when, of the profiles in the unit of the first one, if that is a time. */
function timelineIn(profiles: readonly SpeedscopeProfile[], nodes: Int32Array): Timeline | undefined {
  const unit = profiles[0]?.unit ?? "";
  if (!timeUnits.includes(unit)) return undefined;
  const tracks = profiles
    .filter((profile) => profile.unit === unit)
    .map(({ name, order }) => {
      const { stacks, durations } = order.track("");
      const label = profiles.length === 1 ? "" : name;
      return { name: label, durations, stacks: stacks.map((stack) => nodes[stack] ?? 0) };
    });
  return timelineOf(unit, tracks);
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

/** The node of each frame index stack. Callers precede their callees. */
function nodesOf(
  indexStacks: FrameIndexStacks,
  frames: readonly number[],
  stacks: StackTable<StackFrame>,
  document: ProfileDocument,
): Int32Array {
  const nodes = new Int32Array(indexStacks.size);
  for (let stack = 1; stack < nodes.length; stack++) {
    const frame = frames[document.index(indexStacks.frameIndexOf(stack), frames.length, "a frame")]!;
    nodes[stack] = stacks.called(nodes[indexStacks.callerOf(stack)]!, frame);
  }
  return nodes;
}

/** Several profiles are distinguished by a label. */
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

/** speedscope has units but no names of value types. */
function typeOf(unit: string): ValueType {
  if (unit === "bytes") return { name: "space", unit };
  return unit === "none" ? { name: "weight", unit: "count" } : { name: "time", unit };
}
