import { Failure } from "../../../core/errors.ts";
import type { Values } from "../../../core/value.ts";
import { withoutMark } from "../../../formats/text-encoding.ts";
import { lineBlocks } from "../../../formats/text-lines.ts";
import type { ByteSource, Importer, ImportEvent, ImportGuide } from "../importer.ts";
import { Notices } from "./notices.ts";
import { planOf } from "./plan.ts";
import { Reading } from "./reading.ts";
import { readStream } from "./stream/stream.ts";

/** Reads any text by an input description (docs/input-descriptions.md). It never claims a file by itself: it has to be told. */
export const description: Importer = Object.freeze({
  kind: "importer",
  name: "description",
  synopsis: "Reads the output of any program by an input description",
  options: [],
  sniff: () => 0,
  read,
} satisfies Importer);

async function* read(source: ByteSource, _options: Values, guide: ImportGuide): AsyncGenerator<ImportEvent> {
  const { description: given } = guide;
  if (!given) throw new Failure("no-description", {});
  if (given.rules === "stream") return yield* readStream(source, { ...guide, description: given });
  const notices = new Notices();
  let reading: Reading | undefined;
  const plan = planOf(given, guide.experiment, guide.fixed ?? new Map(), () => reading?.tellForeign());
  reading = new Reading(plan, notices);
  for await (const block of lineBlocks(withoutMark(source))) {
    reading.readBlock(block);
    yield* reading.events();
  }
  reading.finish();
  yield* reading.events();
}
