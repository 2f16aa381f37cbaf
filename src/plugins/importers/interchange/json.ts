import { Failure, isFailure } from "../../../core/failures/index.ts";
import type { Value, Values } from "../../../core/values/index.ts";
import { type Variable, VariableNames } from "../../../core/variables/index.ts";
import { performedAt, reportBytes } from "../../../formats/benchmarks/index.ts";
import { collectBytes } from "../../../formats/bytes/index.ts";
import { jsonOutline, readPlainJson, readTruncatedJson } from "../../../formats/json/index.ts";
import type { SourceRow } from "../../../formats/text/index.ts";
import { genericConfidence, type Importer, type ImportEvent } from "../importer.ts";
import { inBlocks, tableEvents, tableOptions } from "../table-events.ts";
import { membersOutside, recordLists, type RecordList } from "./json-record-lists.ts";
import { memberNames, ObjectRows } from "../table-objects.ts";

/** Members of profiles and of perfkeep's own answers, which are no results. */
const otherDocuments = [
  ["traceEvents"],
  ["nodes", "startTime"],
  ["nodes", "samples"],
  ["head", "head.children"],
  ["profiles", "shared"],
  ["dhatFileVersion"],
  ["meta", "threads"],
  ["resourceProfiles"],
  ["data", "columns", "nodes"],
  ["data", "columns", "column_metadata"],
  ["frame", "metrics", "children"],
  ["[].frame", "[].metrics"],
  ["[].ph"],
  ["header", "collector_info"],
] as const;

const ownAnswer = /"schema"\s*:\s*"perfkeep\./;

/** Names of members around the results that describe where they were measured. */
const factNames = new RegExp(
  "(?:^|[._-])(?:runtime|cpu|cpu_?model|processor|arch(?:itecture)?|os|platform|kernel|host(?:_?name)?|machine|" +
    "compiler|language|engine|suite|tool|(?:node|python|runtime|tool)_?version)(?:[.](?:name|version|model|arch))?$",
  "i",
);

/** Names of members that hold the time of the measurement. */
const timeNames = /^(?:date|date_?time|time_?stamp|time|(?:start|creat|generat)(?:ed)?_?(?:at|time)?)$/i;

/** Longer texts are no facts. */
const longestFact = 200;

/**
 * Lists of objects with numbers in a JSON document, and objects of such objects. A member of the objects is a column.
 * The document is held in memory.
 */
export const json: Importer = Object.freeze<Importer>({
  kind: "importer",
  name: "json",
  synopsis: "JSON with a list of objects",
  marks: "JSON with objects that have numbers, and no marks of other formats or of profiles",
  declaresFirst: true,
  options: [
    ...tableOptions,
    {
      name: "list",
      role: "parameter",
      occurrence: "once",
      type: "text",
      default: null,
      synopsis: "path of the list of results, such as `suites[].results`, if there are several",
    },
  ],
  sniff(head) {
    const text = new TextDecoder().decode(reportBytes(head)).replace(/^\uFEFF/, "");
    const document = readTruncatedJson(text);
    if (document === undefined || ownAnswer.test(text) || recordLists(document).length === 0) return 0;
    const outline = jsonOutline(reportBytes(head));
    return otherDocuments.some((paths) => paths.every((path) => outline.has(path))) ? 0 : genericConfidence;
  },
  async *read(source, options, { path = "-" }) {
    const document = readPlainJson(reportBytes(await collectBytes(source)), path);
    yield* documentEvents(document, path, options);
  },
});

async function* documentEvents(document: unknown, file: string, options: Values): AsyncGenerator<ImportEvent> {
  const lists = recordLists(document);
  const list = selectedList(lists, file, options.get("list") ?? null);
  const objects = new ObjectRows(file);
  const { performed, facts, ignored } = surroundings(document, list);
  const source = { file, format: "json", options };
  try {
    const rows = [...rowsOf(list, objects)];
    for await (const event of tableEvents(inBlocks(rows), () => objects.headings, source)) {
      if (event.kind === "declare") yield* begin(event.variables, facts, performed);
      else if (event.kind === "notice") yield inRecord(event);
      else if (event.kind === "end") {
        for (const notice of objects.notices()) yield inRecord(notice);
        yield* remainingNotices(list, lists, ignored);
        yield event;
      } else yield event;
    }
  } catch (error) {
    throw isFailure(error, "damaged-report") ? inRecordOf(error, file) : error;
  }
}

/** Fails with `no-results` and `bad-collector-option`. */
function selectedList(lists: readonly RecordList[], file: string, name: Value): RecordList {
  const [first] = lists;
  if (first === undefined) throw new Failure("no-results", { file, format: "json" });
  if (typeof name !== "string") return first;
  const selected = lists.find((list) => list.name === name || list.name === `${name}[]`);
  if (selected) return selected;
  throw new Failure("bad-collector-option", {
    plugin: "json",
    option: "list",
    value: name.slice(0, 80),
    expected: "the path of a list of objects with numbers",
    example: first.name,
  });
}

/** `line` is the number of the record, as the text has no lines that matter. */
function* rowsOf({ records }: RecordList, objects: ObjectRows): Generator<SourceRow> {
  let line = 0;
  for (const { object, around } of records) {
    line += 1;
    yield objects.row(around.length === 0 ? object : { ...Object.fromEntries(around), ...object }, line);
  }
}

interface Surroundings {
  readonly performed: number | undefined;
  readonly facts: ReadonlyMap<string, string | boolean>;
  /** Names of the other members. */
  readonly ignored: readonly string[];
}

function surroundings(document: unknown, { path }: RecordList): Surroundings {
  let performed: number | undefined;
  const facts = new Map<string, string | boolean>();
  const ignored: string[] = [];
  for (const [name, value] of membersOutside(document, path)) {
    const time = performed === undefined && timeNames.test(name) ? performedAt(value).performed : undefined;
    if (time !== undefined) performed = time;
    else if (isFact(name, value)) facts.set(name, value);
    else if (!Array.isArray(value) || value.length > 0) ignored.push(name);
  }
  return { performed, facts, ignored };
}

function isFact(name: string, value: unknown): value is string | boolean {
  return (
    factNames.test(name) &&
    !name.includes("[]") &&
    ((typeof value === "string" && value !== "" && value.length <= longestFact) || typeof value === "boolean")
  );
}

type Notice = Extract<ImportEvent, { kind: "notice" }>;

function* begin(
  columns: readonly Variable[],
  facts: Surroundings["facts"],
  performed: number | undefined,
): Generator<ImportEvent> {
  const names = new VariableNames();
  for (const { name } of columns) names.of(name);
  const values = new Map([...facts].map(([name, value]) => [names.of(name), value] as const));
  const once = [...values].map(([name, value]): Variable => {
    const type = typeof value === "boolean" ? "boolean" : "string";
    return { name, role: "parameter", occurrence: "once", type, default: null };
  });
  yield { kind: "declare", variables: [...once, ...columns] };
  if (performed !== undefined) yield { kind: "about", performed };
  if (values.size > 0) yield { kind: "once", values };
}

function* remainingNotices(
  list: RecordList,
  lists: readonly RecordList[],
  ignored: readonly string[],
): Generator<ImportEvent> {
  const others = lists.filter((each) => each !== list).map(({ name }) => name);
  if (others.length > 0) {
    const selection = `--params selects one: 'list: ${others[0]}'`;
    const text = `other lists of objects with numbers are not imported: ${memberNames(others)}; ${selection}`;
    yield { kind: "notice", line: 1, text };
  }
  const rest = ignored.filter((name) => !others.some((other) => other.startsWith(name)));
  if (rest.length === 0) return;
  const inside = list.name === "" ? "the results" : `'${list.name}'`;
  const text = `not imported, since outside of ${inside}: ${memberNames(rest)}`;
  yield { kind: "notice", line: 1, text };
}

function inRecord(event: Notice): ImportEvent {
  return { ...event, line: 1, text: `object ${event.line}: ${event.text}` };
}

/** The failure of a row, which names the record instead of a line. */
function inRecordOf(failure: Failure, file: string): Failure {
  const { line, problem } = failure.data;
  return typeof line === "number"
    ? new Failure("damaged-report", { file, problem: `object ${line}: ${String(problem)}` })
    : failure;
}
