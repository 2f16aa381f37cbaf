import { counted } from "../../core/counted.ts";
import { abbreviate } from "../../core/digest.ts";
import type { Block, Figure, TableBlock } from "../../core/figure.ts";
import type { ChangeLine, Overview } from "../../core/pages/overview.ts";

const head: TableBlock["head"] = [
  { label: "verdict", align: "left", whole: true },
  { label: "benchmark", align: "left" },
  { label: "metric", align: "left" },
  { label: "change", align: "right" },
  { label: "since", align: "left", whole: true },
  { label: "subject", align: "left", spare: true },
  { label: "triage", align: "left", spare: true },
];

/** What a report begins with, for those who read it in a terminal; at most `limit` changes. */
export function overviewFigure(
  { project, range, totals, words, changes, experiments }: Overview,
  limit: number,
): Figure {
  const told = changes.filter(({ word }) => word === "worse" || word === "better").slice(0, limit);
  const measured = [
    `${project}${range === "" ? "" : ` ${range}`}: ${counted(totals.versions, "version")}, ${totals.measured} of them with profiles`,
    `${counted(totals.profiles, "profile")}, ${counted(totals.experiments, "experiment")} with ${counted(totals.runs, "run")}: ${counted(totals.series, "series", "series")} of ${counted(totals.points, "point")}`,
    `${words.worse} worse, ${words.better} better, ${words.same} the same, ${words.inconclusive} inconclusive`,
  ];
  const table: Block[] = told.length === 0 ? [] : [{ kind: "table", head, rows: told.map(cellsOf) }];
  const lines = experiments.map(
    ({ name, runs, synopsis }) => `${name}: ${counted(runs, "run")}${synopsis === "" ? "" : `, ${synopsis}`}`,
  );
  const more: Block[] = lines.length === 0 ? [] : [{ kind: "text", text: lines.join("\n") }];
  return { title: "", blocks: [{ kind: "text", text: measured.join("\n") }, ...table, ...more] };
}

function cellsOf({ word, benchmark, metric, delta, since, triage }: ChangeLine): string[] {
  const change = delta === null ? "" : `${delta < 0 ? "-" : "+"}${Math.abs(delta * 100).toFixed(1)} %`;
  return [
    word,
    benchmark,
    metric,
    change,
    since === null ? "" : abbreviate(since.after),
    since?.subject ?? "",
    triage ?? "",
  ];
}
