import type { MineAnswer } from "../../commands/mine.ts";
import { jsonValue } from "../../core/table-figure.ts";
import { formatUnit } from "../../core/unit.ts";
import type { Values } from "../../core/value.ts";
import type { Variable } from "../../core/variable.ts";
import type { Session } from "../session.ts";

type Part = MineAnswer["parts"][number];
type Found = Part["findings"][number];

/** All findings, or of each kind `most`. */
export function printMineJson({ output }: Session, answer: MineAnswer, most: number): void {
  const { experiment, level, mostSpread, order, parts, notes, jobs } = answer;
  output.document("perfkeep.mine/1", {
    experiment,
    level,
    mostSpread,
    order,
    notes,
    parts: parts.map((part) => jsonPart(part, most)),
    ...(jobs === undefined ? {} : { jobs: jobs.slice(0, most) }),
  });
}

function jsonPart(part: Part, most: number): object {
  const { results, parameters, coverage, findings, sets, values, passedOver, runs, courses, spreads, outliers } = part;
  const kinds = [["jump", "drift"], ["spread"], ["outlier"]];
  const shown = kinds.flatMap((kind) => findings.filter((finding) => kind.includes(finding.kind)).slice(0, most));
  return {
    results: results.map(jsonVariable),
    parameters: parameters.map(jsonVariable),
    runs,
    sets,
    values,
    passedOver,
    coverage: {
      ...coverage,
      gaps: coverage.gaps
        .slice(0, most)
        .map(({ set, values: there, lacking }) => ({ set: jsonSet(set, parameters), values: there, lacking })),
    },
    looked: { courses, spreads, outliers },
    findings: shown.map((finding) => jsonFinding(finding, parameters)),
  };
}

function jsonVariable({ name, type, unit, better }: Variable): object {
  return { name, type, unit: formatUnit(unit), ...(better === undefined ? {} : { better }) };
}

function jsonSet(set: Values, parameters: readonly Variable[]): object {
  const types = new Map(parameters.map((variable) => [variable.name, variable]));
  return Object.fromEntries(
    [...set].map(([name, value]) => [name, jsonValue(value, types.get(name) ?? { type: "string" })]),
  );
}

/** What is no number in JSON is null: the interval of a sample too small to have one, the share of a level of 0. */
function jsonFinding({ set, ...finding }: Found, parameters: readonly Variable[]): object {
  const { kind, result, ...rest } = finding;
  return { kind, result, set: jsonSet(set, parameters), ...rest };
}
