import { flatText, isList, isObject, jsonObject, JsonNumber, type Json, type JsonObject } from "../values/index.ts";
import { plainName, type StackFrame, type Timeline, type TimelineTrack } from "./stack-profile.ts";
import { StackTable } from "./stack-table.ts";

/** Collects the intervals of a thread. Adjacent ones of the same stack are one interval. */
export class TimelineBuilder {
  #stacks = new Int32Array(256);
  #durations = new Float64Array(256);
  #length = 0;

  add(stack: number, duration: number): void {
    if (!(duration > 0 && duration < Number.POSITIVE_INFINITY)) return;
    if (this.#length > 0 && this.#stacks[this.#length - 1] === stack) {
      this.#durations[this.#length - 1]! += duration;
      return;
    }
    if (this.#length === this.#stacks.length) this.#grow();
    this.#stacks[this.#length] = stack;
    this.#durations[this.#length++] = duration;
  }

  track(name: string): TimelineTrack {
    return { name, stacks: this.#stacks.slice(0, this.#length), durations: this.#durations.slice(0, this.#length) };
  }

  #grow(): void {
    const [stacks, durations] = [this.#stacks, this.#durations];
    this.#stacks = new Int32Array(stacks.length * 2);
    this.#durations = new Float64Array(durations.length * 2);
    this.#stacks.set(stacks);
    this.#durations.set(durations);
  }
}

/** The timeline of tracks with intervals; undefined without any. */
export function timelineOf(unit: string, tracks: readonly TimelineTrack[]): Timeline | undefined {
  const filled = tracks.filter(({ stacks }) => stacks.some((stack) => stack > 0));
  return filled.length === 0 ? undefined : { unit, tracks: filled };
}

/** A timeline of at most `most` intervals: merges short ones into the longest of their neighbours. */
export function boundedTimeline(timeline: Timeline, most: number): Timeline {
  const { tracks, unit } = timeline;
  if (tracks.reduce((sum, { stacks }) => sum + stacks.length, 0) <= most) return timeline;
  const whole = tracks.reduce((sum, { durations }) => durations.reduce((total, each) => total + each, sum), 0);
  // Long intervals, groups that reach the resolution, and groups before long intervals.
  const resolution = (3 * whole) / (most - tracks.length);
  return { unit, tracks: tracks.map((track) => coarser(track, resolution)), resolution };
}

function coarser({ name, stacks, durations }: TimelineTrack, resolution: number): TimelineTrack {
  const builder = new TimelineBuilder();
  let group = { stack: 0, longest: 0, sum: 0 };
  const flush = (): void => {
    builder.add(group.stack, group.sum);
    group = { stack: 0, longest: 0, sum: 0 };
  };
  for (const [at, stack] of stacks.entries()) {
    const duration = durations[at]!;
    if (duration >= resolution) flush();
    if (duration > group.longest) [group.stack, group.longest] = [stack, duration];
    group.sum += duration;
    if (group.sum >= resolution) flush();
  }
  flush();
  return builder.track(name);
}

/** A timeline with its own stacks. */
export interface OwnTimeline {
  readonly stacks: StackTable<StackFrame>;
  readonly timeline: Timeline;
}

/** A timeline as a region of a stored profile: names of calls, stacks as a tree, lists of numbers as text. */
export function timelineJson({ stacks, timeline }: OwnTimeline): JsonObject {
  const used = new UsedStacks(stacks);
  const tracks = timeline.tracks.map(({ name, stacks: nodes, durations }) =>
    jsonObject({
      name,
      stacks: Array.from(nodes, (node) => used.number(node)).join(" "),
      durations: durations.join(" "),
    }),
  );
  const { resolution, unit } = timeline;
  return jsonObject({
    unit,
    ...(resolution === undefined ? {} : { resolution: JsonNumber.float(resolution) }),
    frames: used.names,
    callers: used.callers.join(" "),
    calls: used.calls.join(" "),
    tracks,
  });
}

/** The stacks of a timeline, numbered in order of use, callers first. */
class UsedStacks {
  readonly names: string[] = [];
  /** By stack, from 1. */
  readonly callers: number[] = [];
  readonly calls: number[] = [];
  readonly #stacks: StackTable<StackFrame>;
  readonly #numbers: Int32Array;
  readonly #frames: Int32Array;

  constructor(stacks: StackTable<StackFrame>) {
    this.#stacks = stacks;
    this.#numbers = new Int32Array(stacks.size);
    this.#frames = new Int32Array(stacks.frames.length).fill(-1);
  }

  number(node: number): number {
    const path: number[] = [];
    for (let at = node; at > 0 && this.#numbers[at] === 0; at = this.#stacks.callerOf(at)) path.push(at);
    for (const at of path.toReversed()) {
      this.calls.push(this.#frame(this.#stacks.callOf(at)));
      this.#numbers[at] = this.callers.push(this.#numbers[this.#stacks.callerOf(at)]!);
    }
    return this.#numbers[node]!;
  }

  #frame(frame: number): number {
    if (this.#frames[frame] === -1) this.#frames[frame] = this.names.push(plainName(this.#stacks.frames[frame]!)) - 1;
    return this.#frames[frame]!;
  }
}

/** The timeline of a region; undefined if it is none of ours. */
export function timelineIn(json: Json | undefined): OwnTimeline | undefined {
  if (!isObject(json)) return undefined;
  const [unit, frames, tracks, resolution] = ["unit", "frames", "tracks", "resolution"].map((key) => json.get(key));
  if (typeof unit !== "string" || !isList(frames) || !isList(tracks)) return undefined;
  const stacks = new StackTable<StackFrame>();
  const names = frames.map((name, at) => stacks.frame(String(at), () => ({ function: flatText(name) })));
  const [callers, calls] = [numbersIn(json.get("callers")), numbersIn(json.get("calls"))];
  const nodes = [0];
  for (const [at, caller] of callers.entries()) {
    const [above, call] = [nodes[caller], names[calls[at] ?? -1]];
    if (above === undefined || call === undefined) return undefined;
    nodes.push(stacks.called(above, call));
  }
  const read = tracks.flatMap((track) => {
    if (!isObject(track)) return [];
    const [name, durations] = [track.get("name"), numbersIn(track.get("durations"))];
    const own = Int32Array.from(numbersIn(track.get("stacks")), (stack) => nodes[stack] ?? 0);
    return [{ name: typeof name === "string" ? name : "", stacks: own, durations: durations.slice(0, own.length) }];
  });
  const timeline = timelineOf(unit, read);
  if (timeline === undefined) return undefined;
  return {
    stacks,
    timeline: resolution instanceof JsonNumber ? { ...timeline, resolution: resolution.value } : timeline,
  };
}

/** Numbers that are not finite become 0. */
function numbersIn(text: Json | undefined): Float64Array {
  if (typeof text !== "string" || text === "") return new Float64Array();
  return Float64Array.from(text.split(" "), (word) => {
    const number = Number(word);
    return Number.isFinite(number) ? number : 0;
  });
}
