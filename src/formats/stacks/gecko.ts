import { StackSamples, type StackFrame, type StackProfile, type ValueType } from "../../core/stack-profile.ts";
import { StackTable } from "../../core/stack-table.ts";
import { GeckoThread, type GeckoShared } from "./gecko-thread.ts";
import { isObject, ProfileDocument, type DocumentObject } from "../profile/profile-document.ts";

/** Profiles within profiles; Firefox nests one level. */
const deepestNesting = 8;

/** What the weights of samples may be (`weightType`), besides that each counts once. */
const weightTypes: ReadonlyMap<unknown, ValueType> = new Map([
  ["tracing-ms", { name: "time", unit: "milliseconds" }],
  ["bytes", { name: "space", unit: "bytes" }],
]);

const counted: ValueType = { name: "samples", unit: "count" };

/**
 * Reads a profile of Firefox, as the browser writes it (tables with a `schema`) or as profiler.firefox.com does (tables by column, in newer versions
 * shared by all threads), alone or in a file of the developer tools: the samples of all threads of all processes, which labels tell apart.
 * Layout: docs-developer/ of github.com/firefox-devtools/profiler. Fails with `bad-stack-profile`, `no-stacks`.
 */
export async function readGecko(source: AsyncIterable<Uint8Array>, file: string): Promise<StackProfile> {
  const document = new ProfileDocument(file, "Firefox");
  const root = document.object(await document.parsed(source), "the document");
  const threads = [...threadsOf(document, isObject(root["profile"]) ? root["profile"] : root, 0)];
  if (threads.length === 0) throw document.bad("it has no threads");
  const types = typesOf(threads);
  const stacks = new StackTable<StackFrame>();
  const samples = new StackSamples(types.length);
  for (const thread of threads) {
    const type = types.indexOf(typeOfThread(thread));
    const labels = samples.labels(labelsOf(thread.thread, threads.length > 1));
    for (const { stack, weight } of new GeckoThread(document, thread.thread, thread.shared, stacks).samples())
      if (stack > 0) samples.addTo(samples.row(stack, labels), type, weight);
  }
  return { stacks, types, main: 0, samples, facts: {} };
}

interface Found {
  readonly thread: DocumentObject;
  readonly shared: GeckoShared;
}

/** Threads may stand as a text of JSON. */
function* threadsOf(document: ProfileDocument, profile: DocumentObject, depth: number): Generator<Found> {
  if (depth > deepestNesting) throw document.bad("its processes are nested too deeply");
  const shared = isObject(profile["shared"]) ? profile["shared"] : {};
  for (const each of document.list(profile["threads"] ?? [], "'threads'")) {
    const value = typeof each === "string" ? document.json(each) : each;
    // Old profiles list processes among threads.
    if (isObject(value) && value["threads"] !== undefined) yield* threadsOf(document, value, depth + 1);
    else yield { thread: document.object(value, "a thread"), shared };
  }
  for (const process of document.list(profile["processes"] ?? [], "'processes'")) {
    const value = typeof process === "string" ? document.json(process) : process;
    yield* threadsOf(document, document.object(value, "a process"), depth + 1);
  }
}

/** Types whose samples add up; where there are none at all, samples are counted. */
function typesOf(threads: readonly Found[]): ValueType[] {
  const types = new Set(threads.map(typeOfThread));
  return [...types].toSorted((a, b) => Number(b === counted) - Number(a === counted));
}

function typeOfThread({ thread }: Found): ValueType {
  const samples = isObject(thread["samples"]) ? thread["samples"] : {};
  return weightTypes.get(samples["weightType"]) ?? counted;
}

function labelsOf(thread: DocumentObject, isOfSeveral: boolean): ReadonlyMap<string, readonly string[]> {
  const words = [
    ["process", thread["processName"] ?? thread["processType"]],
    ["pid", thread["pid"]],
    ["thread", thread["name"]],
    ["tid", thread["tid"]],
  ] as const;
  const told = words.filter(([, word]) => (typeof word === "string" && word !== "") || typeof word === "number");
  return new Map(isOfSeveral ? told.map(([name, word]) => [name, [String(word)]]) : []);
}
