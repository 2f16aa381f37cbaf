import { StackSamples, type StackFrame, type StackProfile, type ValueType } from "../../core/profiles/stack-profile.ts";
import { StackTable } from "../../core/profiles/stack-table.ts";
import { readJsonStream } from "../json/json-stream.ts";
import { positive, ProfileDocument, type DocumentObject } from "./profiler-document.ts";
import { PlacedStacks } from "./frame-index-stacks.ts";
import { readSpeedscopeProfile, type SpeedscopeProfile } from "./speedscope-profile.ts";

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
