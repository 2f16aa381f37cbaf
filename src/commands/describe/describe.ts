import { Failure } from "../../core/failures/index.ts";
import { formatUnit } from "../../core/values/index.ts";
import { isName, type Variable } from "../../core/variables/index.ts";
import { inOnePiece } from "../../formats/bytes/index.ts";
import { printExperiment, printInput } from "../../formats/descriptions/index.ts";
import { numericLines, proposeDescription, sampleLines, type Proposal } from "../../formats/proposal/index.ts";
import { decodeInput, shownText } from "../../formats/text/index.ts";
import { reportImporterOf } from "../../workspace/import/index.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkProposal, type CheckedProposal, type Sample } from "./check-proposal.ts";

export interface DescribeOptions {
  readonly files: readonly string[];
  /** Name of the experiment. Default: from the names of the files. */
  readonly name?: string;
}

/** A variable, the line of the description that finds it, and what that line caught in the samples. */
export interface DescribedRule {
  readonly variable: string;
  readonly role: "parameter" | "result";
  readonly occurrence: "once" | "multiple";
  readonly type: string;
  readonly unit?: string;
  /** The line of the input description. */
  readonly rule: string;
  /** Values of the samples that the importer read. */
  readonly values: number;
  /** Samples that have a value. */
  readonly samples: number;
  readonly first: string;
  /** True: several samples have a value, and all values are equal. */
  readonly constant?: true;
}

export interface DescribedSample {
  readonly file: string;
  readonly rows: number;
  /** Lines with numbers that no rule reads. */
  readonly unread: readonly { readonly line: number; readonly text: string }[];
  /** Notices of the importer. */
  readonly notices: readonly { readonly line: number; readonly text: string }[];
}

export interface DescribeResult {
  readonly name: string;
  /** The experiment description. */
  readonly experiment: string;
  /** The input description. */
  readonly input: string;
  readonly rules: readonly DescribedRule[];
  readonly samples: readonly DescribedSample[];
  /** Variables beyond the maximum of an experiment, left out. */
  readonly omitted: number;
  /** Columns and numbers left out, since the importer reads other values for them than those proposed. */
  readonly misread: readonly string[];
  /** The format of the first sample that `import` reads without a description; null: none. */
  readonly knownFormat: string | null;
}

type ProposedResult = Omit<DescribeResult, "knownFormat" | "misread">;

/** Maximum bytes of a sample: enough to see what repeats. */
const mostBytes = 2 * 2 ** 20;
const mostRounds = 4;

/**
 * Proposes an experiment and an input description for samples of one kind of output. What the importer does not read
 * as proposed is left out. Fails with `unreadable-file`, `sample-too-large`, `nothing-to-describe`.
 */
export async function describeSamples(workspace: Workspace, options: DescribeOptions): Promise<DescribeResult> {
  if (options.files.length === 0) throw new Failure("no-input-files");
  const samples = await Promise.all(options.files.map((file) => readSample(workspace, file)));
  const name = options.name ?? nameOf(workspace, options.files);
  if (!isName(name))
    throw new Failure("bad-option", {
      option: "-e",
      value: name,
      expected: "a name of letters, digits, '_', '.' and '-'",
    });
  const [first] = samples as [Sample, ...Sample[]];
  const importer = await reportImporterOf(workspace.registry, undefined, first.name, first.bytes);
  const without = new Set<string>();
  for (let round = 1; ; round++) {
    const proposal = proposeDescription(samples, { name, file: `${name}.inp`, without });
    if (!proposal.rules.some(({ variable }) => variable.type !== "string"))
      throw new Failure("nothing-to-describe", { files: options.files.join(", ") });
    const complete = withParameter(withResult(proposal));
    const checked = await checkProposal(workspace, complete, samples);
    if (checked.misread.size === 0 || round === mostRounds) {
      const kept = new Set(checked.rules.map(({ rule }) => rule.variable.name));
      const misread = [...without].filter((each) => !kept.has(each));
      return { ...resultOf(complete, checked, samples), misread, knownFormat: importer?.name ?? null };
    }
    for (const variable of checked.misread) without.add(variable);
  }
}

async function readSample(workspace: Workspace, file: string): Promise<Sample> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of workspace.files.stream(file)) {
    size += chunk.length;
    if (size > mostBytes) throw new Failure("sample-too-large", { path: file, most: mostBytes / 2 ** 20 });
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(Buffer.concat(chunks));
  const pieces: Uint8Array[] = [];
  for await (const piece of decodeInput(inOnePiece(bytes), undefined, () => {})) pieces.push(piece);
  return {
    name: file,
    bytes,
    lines: sampleLines(Buffer.from(shownText(Buffer.concat(pieces)).bytes).toString("utf8")),
  };
}

/** The common beginning of the files' names, without digits and signs at its end. */
function nameOf(workspace: Workspace, files: readonly string[]): string {
  const names = files.map((file) => (file === "-" ? "output" : workspace.files.name(file)));
  const [first = ""] = names;
  let length = first.replace(/\.[^.]*$/, "").length;
  while (length > 0 && !names.every((each) => each.startsWith(first.slice(0, length)))) length -= 1;
  const name = first
    .slice(0, length)
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, "_")
    .replace(/[_\d-]+$/, "")
    .replace(/^[^\p{L}]+/u, "");
  return isName(name) ? name : "output";
}

/** An experiment has at least one result: the last of the numbers, if none looks like one. */
function withResult(proposal: Proposal): Proposal {
  if (proposal.experiment.variables.some(({ role }) => role === "result")) return proposal;
  const last = proposal.rules.findLast(({ variable }) => variable.type !== "string")?.variable;
  const change = <T extends { readonly name: string }>(variable: T): T =>
    variable.name === last?.name ? { ...variable, role: "result", type: "float" } : variable;
  return {
    ...proposal,
    experiment: { ...proposal.experiment, variables: proposal.experiment.variables.map(change) },
    rules: proposal.rules.map((rule) => ({ ...rule, variable: change(rule.variable) })),
  };
}

/** An experiment has at least one parameter: the name of the benchmark, to be given on import, if none is found. */
function withParameter(proposal: Proposal): Proposal {
  const { variables } = proposal.experiment;
  if (variables.some(({ role }) => role === "parameter")) return proposal;
  const [name = "case"] = ["benchmark", "case"].filter((each) =>
    variables.every((variable) => variable.name.toLowerCase() !== each),
  );
  const parameter: Variable = {
    name,
    role: "parameter",
    occurrence: "once",
    type: "string",
    default: null,
    synopsis: "what is measured; not in the samples: give it with import --fixed",
  };
  return { ...proposal, experiment: { ...proposal.experiment, variables: [parameter, ...variables] } };
}

function resultOf(proposal: Proposal, checked: CheckedProposal, samples: readonly Sample[]): ProposedResult {
  const input = printInput(proposal.description);
  const lines = new Map(input.split("\n").map((line) => [line.split(" ")[1] ?? "", line]));
  const rules = checked.rules.map(({ rule, caught }): DescribedRule => {
    const { name, role, occurrence, type, unit } = rule.variable;
    const files = new Set(caught.map(({ sample }) => sample)).size;
    const isConstant = files > 1 && new Set(caught.map(({ text }) => text)).size === 1;
    return {
      variable: name,
      role,
      occurrence,
      type,
      ...(unit ? { unit: formatUnit(unit) } : {}),
      rule: lines.get(name) ?? "",
      values: caught.length,
      samples: files,
      first: caught[0]?.text ?? "",
      ...(isConstant ? { constant: true } : {}),
    };
  });
  const unread = numericLines(
    samples,
    checked.rules.flatMap(({ caught }) => caught),
  );
  return {
    name: proposal.experiment.name,
    experiment: printExperiment(proposal.experiment),
    input,
    rules,
    samples: samples.map(({ name }, at) => ({
      file: name,
      rows: checked.rows[at] ?? 0,
      unread: unread.filter(({ sample }) => sample === at).map(({ line, text }) => ({ line, text: text.trim() })),
      notices: checked.notices[at] ?? [],
    })),
    omitted: proposal.omitted,
  };
}
