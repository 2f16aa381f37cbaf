import { Failure } from "../../../core/failures/index.ts";
import type { Values } from "../../../core/values/index.ts";
import { encodings, decodeInput, type Encoding, lineBlocks } from "../../../formats/text/index.ts";
import type { InputDescription } from "../../../formats/descriptions/index.ts";
import type { ByteSource, Importer, ImportEvent, ImportGuide } from "../importer.ts";
import { Notices } from "./notices.ts";
import { planOf } from "./sets/plan.ts";
import { Reading } from "./sets/reading.ts";
import { readStream } from "./stream/stream.ts";

const encodingOption = {
  name: "encoding",
  role: "parameter",
  occurrence: "once",
  type: "string",
  default: null,
  valid: encodings,
  synopsis:
    "of the input; default: detected by byte order mark or UTF-16 NULs, else UTF-8 with latin1 for invalid bytes",
} as const;

/**
 * Reads any text by an input description (docs/input-descriptions.md). Never detected automatically: the user has to
 * select it.
 */
export const description: Importer = Object.freeze({
  kind: "importer",
  name: "description",
  synopsis: "Reads the output of any program by an input description",
  options: [encodingOption],
  sniff: () => 0,
  read,
} satisfies Importer);

async function* read(source: ByteSource, options: Values, guide: ImportGuide): AsyncGenerator<ImportEvent> {
  const { description: given } = guide;
  if (!given) throw new Failure("no-description", {});
  if (given.rules === "stream") return yield* readStream(source, { ...guide, description: given }, encodingIn(options));
  refuseCompanions(given, guide.companionInputs ?? []);
  const notices = new Notices();
  let reading: Reading | undefined;
  const plan = planOf(given, guide.experiment, guide.fixed ?? new Map(), () => reading?.reportForeign(), guide.path);
  reading = new Reading(plan, notices);
  const halved = (): void => reading?.reportHalfCharacter();
  for await (const block of lineBlocks(decodeInput(source, encodingIn(options), halved))) {
    reading.readBlock(block);
    yield* reading.events();
  }
  reading.finish();
  yield* reading.events();
}

function encodingIn(options: Values): Encoding | undefined {
  return encodings.find((each) => each === options.get(encodingOption.name));
}

/** Under the rules `sets` an input holds one or more complete runs. */
function refuseCompanions({ file }: InputDescription, companions: NonNullable<ImportGuide["companionInputs"]>): void {
  if (companions.length === 0) return;
  const problem = "several inputs of one run are not supported by the rules 'sets'";
  throw new Failure("description-error", {
    file,
    line: 1,
    column: 1,
    problem,
    advice: "begin the descriptions with RULES stream",
  });
}
