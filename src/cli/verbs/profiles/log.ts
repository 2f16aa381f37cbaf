import { Failure } from "../../../core/failures/index.ts";
import type { Arguments } from "../../arguments.ts";
import { type LogTrends, isoTime, longEntry, ShortLog, mediumOf, profileJson } from "../../print/index.ts";
import { log as walkLog, type LogEntry } from "../../../commands/history/index.ts";
import type { Session } from "../../session.ts";
import type { Verb } from "../../verb.ts";
import { version } from "../../version.ts";
import { compatOption, databaseOption } from "../options.ts";
import { subjectOptions, subjectsOf } from "../series-options.ts";

export const log: Verb = {
  name: "log",
  summary: "show commit history with profiles",
  examples: ["perfkeep log --short", "perfkeep log v1.0", "perfkeep log --trend --location sort"],
  operands: [{ name: "[rev]", synopsis: "first commit (default: HEAD)" }],
  options: [
    { flags: "-s, --short", synopsis: "one line per commit, formatted by format.shortlog" },
    { flags: "-n, --limit <count>", synopsis: "maximum number of commits" },
    { flags: "--with-profiles", synopsis: "only commits with profiles" },
    {
      flags: "--trend",
      synopsis: "add sparklines of metrics up to each commit, changed ones first",
    },
    ...subjectOptions.map((option) => ({
      ...option,
      flags: option.flags.replace(/^-\w, /, ""),
      synopsis: `--trend: ${option.synopsis}`,
    })),
    databaseOption,
    compatOption,
  ],
  formats: ["json", "ndjson"],
  async run(session, args) {
    const [revision, limit] = [args.optionalOperand(0), args.count("limit", 1)];
    refuseTrendOptions(session, args);
    const batches = walkLog(session.workspace, {
      ...(revision === undefined ? {} : { revision }),
      ...(limit === undefined ? {} : { limit }),
      onlyWithProfiles: args.flag("withProfiles"),
    });
    if (session.format === "json") await printJson(session, batches);
    else if (session.format === "ndjson")
      await eachBatch(batches, (batch) =>
        session.output.data(batch.map((entry) => `${JSON.stringify(jsonEntry(entry))}\n`).join("")),
      );
    else await printText(session, batches, args);
    return 0;
  },
};

/** Fails with `unusable-combination`: trend options need --trend, and --trend needs text output. */
function refuseTrendOptions({ format }: Session, args: Arguments): void {
  const refuse = (what: string, instead: string): never => {
    throw new Failure("unusable-combination", { what, instead });
  };
  if (args.flag("trend")) {
    if (format !== "text") refuse(`--trend with --format ${format}`, `perfkeep trend --format json prints trends`);
    if (args.text("compat") !== undefined) refuse("--trend with --compat", "give one of them");
    return;
  }
  const names = ["experiment", "result", "by", "where", "collector", "cmd", "location", "db"];
  const unusable = names.find((name) => args.texts(name).length > 0);
  if (unusable !== undefined) refuse(`--${unusable} without --trend`, "add --trend");
}

async function printText(
  session: Session,
  batches: AsyncIterable<readonly LogEntry[]>,
  args: Arguments,
): Promise<void> {
  const { output, workspace } = session;
  const short = args.flag("short");
  const format = (await workspace.config()).text("format.shortlog");
  const isTrendToken = short && args.text("compat") === undefined && format.includes("%trend%");
  const trend = args.flag("trend") || isTrendToken ? await trendsFor(session, args) : undefined;
  if (await workspace.usesPager("log")) output.page();
  const medium = await mediumOf(session, args.text("compat"));
  if (short) {
    const shape = trend === undefined || isTrendToken ? format : `${format} %trend%`;
    const table = new ShortLog(shape, medium, trend);
    await eachBatch(batches, (batch) => table.add(batch));
    for (const piece of table.text()) output.data(piece);
    return;
  }
  return eachBatch(batches, (batch) =>
    output.data(batch.map((entry) => longEntry(entry, medium, trend?.lines(entry, medium))).join("")),
  );
}

/** Loaded lazily: most logs show no trends. */
async function trendsFor(session: Session, args: Arguments): Promise<LogTrends> {
  const { logTrends } = await import("../../print/profiles/log-trend.ts");
  const trends = await logTrends(session.workspace, subjectsOf(args), args.optionalOperand(0), version);
  for (const note of trends.notes) session.output.note(note);
  return trends;
}

/** Streams one document; a long history is never held in memory. */
async function printJson({ output }: Session, batches: AsyncIterable<readonly LogEntry[]>): Promise<void> {
  let written = 0;
  const first = await firstBatch(batches);
  output.data('{"schema":"perfkeep.log/1","versions":[');
  for await (const batch of first) {
    output.data(batch.map((entry) => (written++ > 0 ? ",\n" : "\n") + JSON.stringify(jsonEntry(entry))).join(""));
  }
  output.data("\n]}\n");
}

/** Waits for the first batch, so that an early failure leaves no partial document. */
async function firstBatch<T>(batches: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  return {
    async *[Symbol.asyncIterator]() {
      for (let step = first; !step.done; step = await iterator.next()) yield step.value;
    },
  };
}

async function eachBatch(
  batches: AsyncIterable<readonly LogEntry[]>,
  action: (batch: readonly LogEntry[]) => void,
): Promise<void> {
  for await (const batch of batches) action(batch);
}

function jsonEntry({ version, profiles, changes }: LogEntry): object {
  const { id, parents, author, email, date, description } = version;
  return {
    checksum: id,
    parents,
    author,
    email,
    date: isoTime(date),
    description,
    profiles: profiles.map(profileJson),
    changes,
  };
}
