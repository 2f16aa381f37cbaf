import { Failure } from "../../core/failures/index.ts";
import type { Block, Figure } from "../../core/figures/index.ts";
import type { QueryVariable } from "../../core/pages/index.ts";
import { formatUnit } from "../../core/values/index.ts";
import { descriptionText, readQuery } from "../../formats/descriptions/index.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/index.ts";
import { attach } from "../experiments/index.ts";
import { mine, mineFigure, runQuery, type QueryOutput } from "../query/index.ts";
import type { LivePages } from "./live-pages.ts";

/** Name of a query without a file, for messages. */
const queryName = "query";
/** Milliseconds. */
const queryTimeout = 60_000;
/** Maximum findings of each kind, and the defaults of `perfkeep mine`. */
const [maxFindings, mining] = [50, { level: 0.05, maxSpread: 0.05 }] as const;

/** Variables of an experiment. Fails with `unknown-experiment`. */
export async function experimentVariables(pages: LivePages, name: string): Promise<QueryVariable[]> {
  return reading(pages, async (experiments) => {
    const { experiment } = await experiments.find(name);
    return experiment.variables.map((variable) => ({
      name: variable.name,
      role: variable.role,
      type: variable.type,
      unit: formatUnit(variable.unit),
    }));
  });
}

/**
 * Runs a query and shows its outputs, including those for files; writes nothing. Fails like `runQuery`, and with
 * `query-too-long`.
 */
export async function runQueryText(
  pages: LivePages,
  experiment: string,
  text: string,
  gone: AbortSignal,
): Promise<Figure> {
  const timeout = AbortSignal.timeout(queryTimeout);
  const { database } = pages.options;
  try {
    const outputs = await runQuery(pages.workspace(), {
      description: { text, name: queryName },
      experiment,
      stopped: AbortSignal.any([gone, timeout]),
      ...(database === undefined ? {} : { database }),
    });
    return { title: "", blocks: outputs.flatMap(blocksOf) };
  } catch (error) {
    if (timeout.aborted) throw new Failure("query-too-long", { seconds: queryTimeout / 1000 });
    throw error;
  }
}

function blocksOf(output: QueryOutput): readonly Block[] {
  if (output.kind === "figure")
    return output.figure.title === ""
      ? output.figure.blocks
      : [textBlock(output.figure.title), ...output.figure.blocks];
  const { data: body } = output;
  return [textBlock(typeof body === "string" ? body : `${body.length} bytes (the command line writes them to a file)`)];
}

function textBlock(text: string): Block {
  return { kind: "text", text };
}

/** Queries stored with the experiment as [name, text], by name. */
export async function storedQueries(
  pages: LivePages,
  name: string,
): Promise<(readonly [name: string, text: string])[]> {
  return reading(pages, async (experiments) => {
    const stored = await experiments.find(name);
    const queries = (await experiments.attachments(stored)).filter(({ kind }) => kind === "query");
    return queries.map((each) => [each.name, descriptionText(experiments.attachmentBytes(each), each.name)] as const);
  });
}

/** Stores a query. Fails with `description-error`, `attachment-exists`. */
export async function storeQuery(pages: LivePages, experiment: string, name: string, text: string): Promise<void> {
  readQuery(text, queryName);
  const { database } = pages.options;
  const bytes = new TextEncoder().encode(text);
  await attach(pages.workspace(), {
    experiment,
    file: queryName,
    bytes,
    name,
    ...(database === undefined ? {} : { database }),
  });
}

/** Findings of `perfkeep mine` as tables and charts. */
export async function minedFigure(pages: LivePages, experiment: string): Promise<Figure> {
  const { database } = pages.options;
  const answer = await mine(pages.workspace(), {
    experiment,
    ...mining,
    ...(database === undefined ? {} : { database }),
  });
  const found = mineFigure(answer, "both", maxFindings);
  return { ...found, blocks: [...answer.notes.map(textBlock), ...found.blocks] };
}

function reading<T>(pages: LivePages, work: Parameters<typeof withExperiments<T>>[3]): Promise<T> {
  const workspace = pages.workspace();
  return withExperiments(workspace, experimentHome(workspace, pages.options.database), "read", work);
}
