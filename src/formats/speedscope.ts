import { StackSamples, type StackFrame, type StackProfile, type ValueType } from "../core/stack-profile.ts";
import { StackTable } from "../core/stack-table.ts";
import { positive, ProfileDocument, type DocumentObject } from "./profile-document.ts";

/** The label that tells which profile of a document a sample is of. */
export const profileLabel = "profile";

/**
 * Reads a document of speedscope (https://www.speedscope.app/file-format-schema.json): all its profiles, each of events (`O` opens a frame, `C` closes it)
 * or of samples with weights. Values are in the unit of their profile; a type for each unit. Fails with `bad-stack-profile`.
 */
export async function readSpeedscope(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const document = new ProfileDocument(file, "speedscope");
  return new SpeedscopeReader(document, document.object(await document.parsed(source), "the document")).read();
}

class SpeedscopeReader {
  readonly #document: ProfileDocument;
  readonly #root: DocumentObject;
  readonly #stacks = new StackTable<StackFrame>();
  /** By place in `shared.frames`. */
  readonly #frames: number[];
  readonly #profiles: readonly DocumentObject[];
  readonly #units: string[];
  readonly #samples: StackSamples;

  constructor(document: ProfileDocument, root: DocumentObject) {
    this.#document = document;
    this.#root = root;
    const frames = document.list(document.object(root["shared"], "'shared'")["frames"], "'shared.frames'");
    this.#frames = frames.map((frame) => this.#frame(document.object(frame, "a frame")));
    this.#profiles = document.list(root["profiles"], "'profiles'").map((each) => document.object(each, "a profile"));
    this.#units = [...new Set(this.#profiles.map(({ unit }) => document.text(unit, "the unit of a profile")))];
    this.#samples = new StackSamples(this.#units.length);
  }

  read(): StackProfile {
    if (this.#profiles.length === 0) throw this.#document.bad("it has no profile");
    for (const profile of this.#profiles) {
      const take = this.#taker(profile);
      if (profile["type"] === "evented") this.#readEvents(profile, take);
      else if (profile["type"] === "sampled") this.#readSamples(profile, take);
      else throw this.#document.bad("a profile is neither evented nor sampled");
    }
    const name = [this.#root["name"], this.#profiles[0]?.["name"]].find((each) => typeof each === "string" && each !== "");
    const facts = typeof name === "string" ? { name } : {};
    return { stacks: this.#stacks, types: this.#units.map(typeOf), main: 0, samples: this.#samples, facts };
  }

  #frame({ name, file, line, col }: DocumentObject): number {
    const function_ = this.#document.text(name, "the name of a frame");
    const [source, row, column] = [typeof file === "string" ? file : undefined, positive(line), positive(col)];
    const frame: StackFrame = {
      function: function_,
      ...(source === undefined ? {} : { source }),
      ...(row === undefined ? {} : { line: row }),
      ...(column === undefined ? {} : { column }),
    };
    return this.#stacks.frame(JSON.stringify([function_, source, row, column]), () => frame);
  }

  #taker(profile: DocumentObject): (stack: number, amount: number) => void {
    const { name, unit } = profile;
    const isAlone = this.#profiles.length === 1;
    const labels = isAlone ? 0 : this.#samples.labels(new Map([[profileLabel, [typeof name === "string" ? name : ""]]]));
    const type = this.#units.indexOf(String(unit));
    return (stack, amount) => {
      if (stack > 0 && amount !== 0) this.#samples.addTo(this.#samples.row(stack, labels), type, amount);
    };
  }

  #readSamples(profile: DocumentObject, take: (stack: number, amount: number) => void): void {
    const document = this.#document;
    const samples = document.list(profile["samples"], "'samples'");
    const weights = document.list(profile["weights"], "'weights'");
    if (samples.length !== weights.length) throw document.bad(`there are ${samples.length} samples and ${weights.length} weights`);
    for (const [at, sample] of samples.entries()) {
      const calls = document.list(sample, "a sample");
      const stack = calls.reduce((caller: number, frame) => this.#stacks.called(caller, this.#frameAt(frame)), 0);
      take(stack, document.number(weights[at], "a weight"));
    }
  }

  /** What is open between two events is what ran. A frame that is closed closes those within it. */
  #readEvents(profile: DocumentObject, take: (stack: number, amount: number) => void): void {
    const document = this.#document;
    let [stack, now] = [0, Number.NaN];
    const advance = (at: number): void => {
      if (at < now) throw document.bad("an event comes before the one it stands behind");
      if (stack > 0) take(stack, at - now);
      now = at;
    };
    for (const each of document.list(profile["events"], "'events'")) {
      const { type, at, frame } = document.object(each, "an event");
      advance(document.number(at, "the time of an event"));
      if (type === "O") stack = this.#stacks.called(stack, this.#frameAt(frame));
      else if (type === "C") stack = this.#closed(stack, this.#frameAt(frame));
      else throw document.bad("an event neither opens nor closes a frame");
    }
    if (stack > 0) advance(Math.max(now, document.number(profile["endValue"], "'endValue'")));
  }

  #closed(stack: number, frame: number): number {
    for (let at = stack; at > 0; at = this.#stacks.callerOf(at)) if (this.#stacks.callOf(at) === frame) return this.#stacks.callerOf(at);
    throw this.#document.bad("an event closes a frame that is not open");
  }

  #frameAt(value: unknown): number {
    return this.#frames[this.#document.place(value, this.#frames.length, "a frame")]!;
  }
}

/** speedscope names units alone. */
function typeOf(unit: string): ValueType {
  if (unit === "bytes") return { name: "space", unit };
  return unit === "none" ? { name: "weight", unit: "count" } : { name: "time", unit };
}
