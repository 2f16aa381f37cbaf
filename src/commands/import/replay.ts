import type { Digest } from "../../core/versions/index.ts";
import type { Values } from "../../core/values/index.ts";
import { Failure } from "../../core/failures/index.ts";
import { descriptionText, type InputDescription, readInput } from "../../formats/descriptions/index.ts";
import type { ImportChange, ImportedInput } from "../../formats/store/index.ts";
import type { Importer, ImportEvent } from "../../plugins/importers/importer.ts";
import type { StoredExperiment, RunMetadata, RunWriter } from "../../store/catalogue/index.ts";
import type { ImportReplay } from "../../store/ledger/index.ts";
import type { Objects } from "../../store/objects/index.ts";
import {
  completeOnce,
  givenValues,
  missingPolicies,
  requireDefaults,
  settleDefinitions,
  type Ask,
  type MissingPolicy,
} from "./missing-values.ts";
import type { InputFile } from "./input-files.ts";
import { decompressReport } from "../../workspace/files/index.ts";
import { decode, readingSettings, type DecodedInput } from "./decode.ts";
import { eventsOf } from "./decode-report.ts";
import { fit, type ImportStep } from "./fit.ts";
import { indexRuns } from "./index-runs.ts";
import type { ReadInput, ReadTogether } from "./locate.ts";
import { optionsOf, type Registry } from "../../workspace/plugins/index.ts";

/** Dependencies of a replay. */
export interface ReplayTools {
  readonly registry: Registry;
  readonly objects: Pick<Objects, "get" | "open">;
}

/**
 * Replays an import from stored objects: same runs, numbers and metadata. `writer` has the numbers, `stored` is the
 * experiment at that time. Fails with `object-missing`, `object-damaged`, and `replay-differs` if other runs result.
 */
export async function replayImport(
  writer: RunWriter,
  stored: StoredExperiment,
  change: ImportChange,
  tools: ReplayTools,
): Promise<void> {
  const { how } = change;
  const steps =
    how.from === undefined
      ? await describedSteps(stored, change, tools)
      : await formatSteps(how.from, stored, change, tools);
  const factsOf = (at: number): RunMetadata => {
    const found = change.runs[at];
    if (found === undefined) {
      const run = (change.runs.at(-1)?.number ?? 0) + 1;
      throw new Failure("replay-differs", { experiment: stored.experiment.name, run });
    }
    const { number: _, ...facts } = found;
    return facts as RunMetadata;
  };
  const written = await indexRuns(writer, steps, { forced: () => true, factsOf });
  if (written.length !== change.runs.length)
    throw new Failure("replay-differs", {
      experiment: stored.experiment.name,
      run: change.runs[written.length]?.number,
    });
}

/** Replays imports with objects of a store and importers of a registry. */
export function importReplayer(objects: ReplayTools["objects"], registry: Registry): ImportReplay {
  return (stored, change, writer) => replayImport(writer, stored, change, { objects, registry });
}

/** Steps of an import by format. */
async function formatSteps(
  from: string,
  { experiment }: StoredExperiment,
  { inputs, how }: ImportChange,
  tools: ReplayTools,
): Promise<AsyncIterable<ImportStep>> {
  const importer = await tools.registry.get("importer", from);
  const options = optionsOf(importer, new Map(how.options));
  const reports = inputs.map((input) => storedReport(importer, options, input, tools));
  return fit(reports, {
    experiment,
    fixed: givenValues(how.fixed, experiment),
    rows: "refuse",
    cast: true,
    complete: requireDefaults,
    notice: () => {},
  });
}

async function describedSteps(
  { experiment }: StoredExperiment,
  change: ImportChange,
  tools: ReplayTools,
): Promise<AsyncIterable<ImportStep>> {
  const { how } = change;
  const readings = readingsOf(change, tools);
  const descriptions = readings.flatMap(({ inputs }) => inputs.map(({ description }) => description));
  const ask = recordedAnswers(how.answers ?? []);
  const given = givenValues(how.fixed, experiment);
  const { fixed, excused } = await settleDefinitions(
    experiment,
    descriptions,
    given,
    policyOf(how.missingDefinition),
    ask,
  );
  const decoded = decode(readings, {
    experiment,
    importer: await tools.registry.get("importer", "description"),
    settings: readingSettings(how),
    sequential: how.sequential,
    fixed,
    archive: { maxStreamBytes: Infinity, onBytes: () => {} },
  });
  return fit(decoded, {
    experiment,
    fixed,
    rows: how.cells === "ignore" ? "null" : "refuse",
    complete: (once, lacking) =>
      completeOnce(
        once,
        lacking.filter(({ name }) => !excused.has(name)),
        policyOf(how.missing),
        ask,
      ),
    notice: () => {},
  });
}

function policyOf(word: string | undefined): MissingPolicy | undefined {
  return missingPolicies.find((policy) => policy === word);
}

function recordedAnswers(answers: readonly string[]): Ask {
  let next = 0;
  return async () => answers[next++] ?? null;
}

/** Groups inputs of the same runs. */
function readingsOf({ inputs, how }: ImportChange, tools: ReplayTools): ReadTogether[] {
  const groups: ImportedInput[][] = [];
  for (const input of inputs) {
    const before = groups.at(-1);
    if (before?.[0] && before[0].runs.length > 0 && before[0].runs.join() === input.runs.join()) before.push(input);
    else groups.push([input]);
  }
  const parsed = new Map<string, InputDescription>();
  return groups.map((group) => {
    const files = group.map((input) => storedFile(input, tools));
    const read = group.map((input, at): ReadInput => ({
      ...descriptionOf(input, tools, parsed),
      files: files.slice(at, at + 1),
    }));
    const [first, ...companions] = read;
    if (first === undefined) throw new Failure("replay-differs", { experiment: "", run: 0 });
    return { inputs: how.joined ? [{ ...first, files }] : [first, ...companions] };
  });
}

function descriptionOf(
  { description: descriptionObject, path }: ImportedInput,
  { objects }: ReplayTools,
  parsed: Map<string, InputDescription>,
): { description: InputDescription; descriptionObject: Digest } {
  if (descriptionObject === undefined) throw new Failure("object-missing", { digest: `of the description of ${path}` });
  const description =
    parsed.get(descriptionObject) ??
    readInput(descriptionText(objects.get(descriptionObject).body, descriptionObject), descriptionObject);
  parsed.set(descriptionObject, description);
  return { description, descriptionObject };
}

function storedReport(
  importer: Importer,
  options: Values,
  { path, sha256, object, bytes, modified }: ImportedInput,
  { objects }: ReplayTools,
): DecodedInput {
  const events = async function* (): AsyncGenerator<ImportEvent> {
    yield* eventsOf(importer, (await decompressReport(bodyOf(objects, object), path)).source, path, options);
  };
  const time = modified === undefined ? {} : { modified };
  return {
    name: path,
    ...time,
    events,
    finish: async () => [{ path, sha256, object, bytes, ...time }],
    discard: async () => {},
  };
}

function storedFile({ path, object, bytes, modified }: ImportedInput, { objects }: ReplayTools): InputFile {
  return {
    path,
    object,
    size: bytes,
    ...(modified === undefined ? {} : { modified }),
    stream: () => bodyOf(objects, object),
  };
}

async function* bodyOf(objects: ReplayTools["objects"], object: Digest): AsyncGenerator<Uint8Array> {
  yield* (await objects.open(object)).body;
}
