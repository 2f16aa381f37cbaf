import { Failure } from "../../core/failures/failure.ts";
import type { Block, Figure } from "../../core/figures/figure.ts";
import type { QueryVariable } from "../../core/pages/source.ts";
import { formatUnit } from "../../core/values/unit.ts";
import { descriptionText } from "../../formats/descriptions/description-text.ts";
import { readQuery } from "../../formats/descriptions/query/query-text.ts";
import { experimentHome, withExperiments } from "../../workspace/experiments/experiments.ts";
import { attach } from "../experiments/attach.ts";
import { mine, mineFigure } from "../query/mine.ts";
import { runQuery } from "../query/query-graph.ts";
import type { QueryOutput } from "../query/query-outputs.ts";
import type { LivePages } from "./live-pages.ts";

/** What messages call a query that has no file. */
const queryName = "query";
/** Milliseconds. */
const longestQuery = 60_000;
/** Findings of each kind, and what `perfkeep mine` takes for one without being told. */
const [mostFindings, mining] = [50, { level: 0.05, mostSpread: 0.05 }] as const;

/** Fails with `unknown-experiment`. */
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
 * Answers a query; what it would write into files is shown as well, and nothing is written. Fails like `runQuery`, and
 * with `query-too-long`.
 */
export async function answerText(
  pages: LivePages,
  experiment: string,
  text: string,
  gone: AbortSignal,
): Promise<Figure> {
  const tooLong = AbortSignal.timeout(longestQuery);
  const { database } = pages.options;
  try {
    const outputs = await runQuery(pages.workspace(), {
      description: { text, name: queryName },
      experiment,
      stopped: AbortSignal.any([gone, tooLong]),
      ...(database === undefined ? {} : { database }),
    });
    return { title: "", blocks: outputs.flatMap(shown) };
  } catch (error) {
    if (tooLong.aborted) throw new Failure("query-too-long", { seconds: longestQuery / 1000 });
    throw error;
  }
}

function shown(output: QueryOutput): readonly Block[] {
  if (output.kind === "figure")
    return output.figure.title === ""
      ? output.figure.blocks
      : [textBlock(output.figure.title), ...output.figure.blocks];
  const { content } = output;
  return [
    textBlock(
      typeof content === "string" ? content : `${content.length} bytes, which the command line writes into a file`,
    ),
  ];
}

function textBlock(text: string): Block {
  return { kind: "text", text };
}

/** Queries that the experiment keeps, with their texts, in order of name. */
export async function keptQueries(pages: LivePages, name: string): Promise<(readonly [name: string, text: string])[]> {
  return reading(pages, async (experiments) => {
    const stored = await experiments.find(name);
    const queries = (await experiments.attachments(stored)).filter(({ kind }) => kind === "query");
    return queries.map((each) => [each.name, descriptionText(experiments.content(each), each.name)] as const);
  });
}

/** Keeps a query under a name. Fails with `description-error` for what is none, `attachment-exists`. */
export async function keepQuery(pages: LivePages, experiment: string, name: string, text: string): Promise<void> {
  readQuery(text, queryName);
  const { database } = pages.options;
  const content = new TextEncoder().encode(text);
  await attach(pages.workspace(), {
    experiment,
    file: queryName,
    content,
    name,
    ...(database === undefined ? {} : { database }),
  });
}

/** What `perfkeep mine` finds, in tables and pictures. */
export async function minedFigure(pages: LivePages, experiment: string): Promise<Figure> {
  const { database } = pages.options;
  const answer = await mine(pages.workspace(), {
    experiment,
    ...mining,
    ...(database === undefined ? {} : { database }),
  });
  const found = mineFigure(answer, "both", mostFindings);
  return { ...found, blocks: [...answer.notes.map(textBlock), ...found.blocks] };
}

function reading<T>(pages: LivePages, work: Parameters<typeof withExperiments<T>>[3]): Promise<T> {
  const workspace = pages.workspace();
  return withExperiments(workspace, experimentHome(workspace, pages.options.database), "read", work);
}
