import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type VerdictOutcome, verdictOutcomes } from "../../src/core/verdicts/index.ts";
import type { ComparedSeries } from "../../src/query/pages/index.ts";
import { countText, deltaText, shortId, valueText } from "../model/number-text.ts";
import {
  comparisonCsv,
  type ComparisonLine,
  comparisonLines,
  type ComparisonView,
  comparisonView,
  type LoadedComparison,
  shownRows,
} from "../model/comparison-view.ts";
import { commitLine } from "../model/commit-lines.ts";
import { metricsOf, seriesLine, sharedBenchmarkWords } from "../model/series-lines.ts";
import { href, type Route } from "../context/route.ts";
import { saveFile } from "../charts/chart-export.ts";
import { ComparedChart, ComparedPanel, withoutRow } from "./compared-series.tsx";
import { Outcome, outcomeTitles } from "../parts/outcome.tsx";
import { SortButton } from "../parts/sort-button.tsx";
import { RowName, SharedWordsLine, shown, Text } from "../parts/text.tsx";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";

interface ComparisonTableProps {
  readonly loaded: LoadedComparison;
  readonly params: Route["params"];
  readonly onSet: (next: Route["params"]) => void;
}

/** The rows of a comparison with filters, the opened row, and exports. */
export function ComparisonTable({ loaded, params, onSet }: ComparisonTableProps): JSX.Element {
  const view = comparisonView(params);
  const key = JSON.stringify(view);
  const { rows, folded } = useMemo(() => shownRows(loaded, view), [loaded, key]);
  const lines = useMemo(() => comparisonLines(loaded, rows, view.group), [loaded, rows, view.group]);
  const open = loaded.rows.find(({ series }) => seriesLine(loaded.series, series).key === params["open"]);
  return (
    <>
      <Filters view={view} metrics={metricsOf(loaded.series)} onSet={onSet} />
      <div class="bar">
        <span class="quiet" role="status">
          {countText(rows.length)} of {countText(loaded.rows.length)} rows
          {folded > 0 && `, ${countText(folded)} unchanged rows of further metrics folded`}
        </span>
        {(folded > 0 || view.isUnfolded) && (
          <button
            type="button"
            aria-pressed={view.isUnfolded}
            onClick={() => onSet({ all: view.isUnfolded ? "" : "yes" })}
          >
            All metrics
          </button>
        )}
        <CopyLink />
        <button
          type="button"
          onClick={() => saveFile("comparison.csv", new Blob([comparisonCsv(loaded, rows)], { type: "text/csv" }))}
        >
          Export CSV
        </button>
      </div>
      {open !== undefined && (
        <ComparedPanel key={open.series} loaded={loaded} row={open} params={params} onSet={onSet} />
      )}
      {lines.length === 0 ? (
        <p>No rows match.</p>
      ) : (
        <Rows loaded={loaded} lines={lines} view={view} params={params} onSet={onSet} />
      )}
    </>
  );
}

interface FiltersProps extends Pick<ComparisonTableProps, "onSet"> {
  readonly view: ComparisonView;
  readonly metrics: readonly string[];
}

const leastChanges = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5];

function Filters({ view, metrics, onSet }: FiltersProps): JSX.Element {
  const isListed = view.least === 0 || leastChanges.includes(view.least);
  const least = isListed ? leastChanges : [...leastChanges, view.least].toSorted((a, b) => a - b);
  return (
    <div class="bar" role="search">
      <label>
        Search
        <input type="search" value={view.text} onInput={(event) => onSet({ text: event.currentTarget.value })} />
      </label>
      <Choice label="Metric" value={view.metric} onChoose={(metric) => onSet({ metric })}>
        {[["", "all"], ...metrics.map((name) => [name, shown(name).slice(0, 60)])]}
      </Choice>
      <Choice label="Verdict" value={view.word} onChoose={(word) => onSet({ word })}>
        {[["", "all"], ...verdictOutcomes.map((word: VerdictOutcome) => [word, outcomeTitles[word]])]}
      </Choice>
      <Choice
        label="Change"
        value={view.least === 0 ? "" : String(view.least)}
        onChoose={(share) => onSet({ least: share })}
      >
        {[["", "any"], ...least.map((share) => [String(share), `at least ${Number((share * 100).toPrecision(3))} %`])]}
      </Choice>
      <Choice label="Group by" value={view.group} onChoose={(group) => onSet({ group })}>
        {[
          ["cause", "commit that caused it"],
          ["benchmark", "benchmark"],
          ["metric", "metric"],
          ["none", "nothing"],
        ]}
      </Choice>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChoose: (value: string) => void;
  readonly children: readonly (readonly string[])[];
}

function Choice({ label, value, onChoose, children }: ChoiceProps): JSX.Element {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {children.map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Copies the address; shows it where the browser permits no access to the clipboard. */
function CopyLink(): JSX.Element {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  const copy = (): void => {
    const copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error("no clipboard"));
    copied.then(
      () => setState("copied"),
      () => setState("refused"),
    );
  };
  return (
    <>
      <button type="button" onClick={copy}>
        Copy link
      </button>
      <span class="quiet" role="status">
        {state === "copied" && "copied"}
      </span>
      {state === "refused" && <input readOnly aria-label="Link" value={location.href} />}
    </>
  );
}

interface RowsProps extends ComparisonTableProps {
  readonly lines: readonly ComparisonLine[];
  readonly view: ComparisonView;
}

function Rows({ loaded, lines, view, params, onSet }: RowsProps): JSX.Element {
  const names = useMemo(() => {
    const benchmarks = lines.flatMap((line) => ("row" in line ? [line.row.series] : []));
    return sharedBenchmarkWords(loaded.series, benchmarks);
  }, [loaded, lines]);
  const sorted = (label: string, name: ComparisonView["order"], width: string, more = {}): VirtualColumn => {
    const isOwn = view.order === name;
    // Changes and noise start with the greatest, names with the first.
    const isDown = (name === "name") === view.isReverse;
    const sort = !isOwn ? undefined : isDown ? "descending" : "ascending";
    const onSort = (): void => onSet({ order: name, down: isOwn && !view.isReverse ? "yes" : "" });
    return { ...more, width, sort, label: <SortButton label={label} sort={sort} onSort={onSort} /> };
  };
  const columns: readonly VirtualColumn[] = [
    { label: "verdict", width: "118px" },
    sorted("benchmark", "name", "minmax(0, 3fr)"),
    { label: "metric", width: "minmax(0, 1fr)", optional: true },
    { label: "history", width: "120px", optional: true },
    { label: "before", width: "minmax(76px, 1.1fr)", right: true, optional: true },
    { label: "after", width: "minmax(76px, 1.1fr)", right: true, optional: true },
    sorted("change", "change", "76px", { right: true }),
    sorted("noise", "noise", "72px", { right: true, optional: true }),
  ];
  const cells = (at: number): readonly JSX.Element[] => {
    const line = lines[at];
    return line !== undefined && "row" in line ? rowCells(loaded, line.row, names.ownPart, params) : [];
  };
  const heading = (at: number): JSX.Element | undefined => {
    const line = lines[at];
    return line !== undefined && "group" in line ? <Heading loaded={loaded} of={line.group} /> : undefined;
  };
  return (
    <>
      <SharedWordsLine of={names} />
      <VirtualRows label="Comparison" columns={columns} count={lines.length} cells={cells} heading={heading} />
    </>
  );
}

function rowCells(
  loaded: LoadedComparison,
  row: ComparedSeries,
  ownPart: (name: string) => string,
  params: Route["params"],
): readonly JSX.Element[] {
  const line = seriesLine(loaded.series, row.series);
  const value = (of: number): JSX.Element => <Text of={valueText(of, line.unit)} short={24} />;
  return [
    <span title={row.reason === "" ? undefined : row.reason}>
      <Outcome of={row.outcome} />
    </span>,
    <a href={href("compare", "", { ...withoutRow(params), open: line.key })}>
      <RowName of={ownPart(line.benchmark)} metric={line.metric} />
    </a>,
    <Text of={line.metric} short={80} />,
    <ComparedChart loaded={loaded} row={row} />,
    value(row.before),
    value(row.after),
    <>{deltaText(row.delta)}</>,
    <>{Number.isNaN(row.noise) ? "–" : deltaText(row.noise).replace("+", "±")}</>,
  ];
}

interface HeadingProps {
  readonly loaded: LoadedComparison;
  readonly of: Extract<ComparisonLine, { group: unknown }>["group"];
}

function Heading({ loaded, of: { commit, name, rows } }: HeadingProps): JSX.Element {
  const count = <span class="quiet"> {countText(rows.length)}</span>;
  if (commit === undefined)
    return (
      <>
        <Text of={name} short={120} />
        {count}
      </>
    );
  const cause = commitLine(loaded.versions, commit);
  if (cause === undefined) return <>No commit is known as the cause {count}</>;
  return (
    <>
      <a class="code" href={href("commits", cause.id)}>
        {shortId(cause.id)}
      </a>{" "}
      <Text of={cause.subject} short={120} />
      {count}
    </>
  );
}
