import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { PageSource, VersionColumns } from "../../src/core/pages/index.ts";
import { compareStates, comparisonSentence } from "../../src/query/pages/index.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { usePage } from "../context/page-context.ts";
import { go, href, type Route } from "../context/route.ts";
import { dayText, shortId } from "../model/number-text.ts";
import { type CommitLine, commitLine, matchingCommits, resolveCommit } from "../model/commit-lines.ts";
import type { LoadedComparison } from "../model/comparison-view.ts";
import { ComparisonTable } from "./comparison-table.tsx";
import { shown, Text } from "../parts/text.tsx";
import type { PageProps } from "./page-props.ts";
import { CompareProfilesPage } from "./compare-profiles.tsx";

/** Everything measured at two commits; with profiles in the address their difference. */
export function ComparePage(props: PageProps): JSX.Element {
  const { params } = props.route;
  const isOfProfiles = ["before", "after", "base", "target"].some((name) => params[name] !== undefined);
  if (isOfProfiles || params["what"] === "profiles" || props.overview.totals.series === 0)
    return <CompareProfilesPage {...props} />;
  return (
    <>
      <h1>Compare</h1>
      <TwoCommits params={params} hasProfiles={props.overview.totals.profiles > 0} />
    </>
  );
}

/** Default: the newest tag before the newest commit, else the first commit, with the newest commit. */
function defaultSides({ facts }: VersionColumns): Readonly<Record<"from" | "to", string>> {
  const newest = facts.ids.length - 1;
  const tag = facts.tags.findLast(([index]) => index < newest)?.[1];
  const to = facts.names.some(([index, name]) => index === newest && name === "HEAD")
    ? "HEAD"
    : shortId(facts.ids[newest] ?? "");
  return { from: tag ?? shortId(facts.ids[0] ?? ""), to };
}

interface TwoCommitsProps {
  readonly params: Route["params"];
  readonly hasProfiles: boolean;
}

function TwoCommits({ params, hasProfiles }: TwoCommitsProps): JSX.Element {
  const { source, revision } = usePage();
  const versions = useLoaded(() => source.versions(), [revision]);
  return (
    <Loaded of={versions} what="commits">
      {(columns) => (
        <Sides versions={columns} params={{ ...defaultSides(columns), ...params }} hasProfiles={hasProfiles} />
      )}
    </Loaded>
  );
}

interface SidesProps extends TwoCommitsProps {
  readonly versions: VersionColumns;
}

/** The choice of the two commits, and their comparison. The address always names both. */
function Sides({ versions, params, hasProfiles }: SidesProps): JSX.Element {
  const { from = "", to = "" } = params;
  const set = (next: Route["params"]): void => {
    const all = Object.entries({ ...params, ...next }).filter(([, value]) => value !== "");
    go(href("compare", "", Object.fromEntries(all)), true);
  };
  useEffect(() => {
    if (!location.hash.includes("from=") || !location.hash.includes("to=")) set({});
  }, [from, to]);
  return (
    <>
      <div class="bar">
        <RevisionInput label="From" versions={versions} value={from} onChoose={(name) => set({ from: name })} />
        <RevisionInput label="To" versions={versions} value={to} onChoose={(name) => set({ to: name })} />
        <button type="button" onClick={() => set({ from: to, to: from })}>
          Swap
        </button>
        {hasProfiles && (
          <a class="button" href={href("compare", "", { what: "profiles" })}>
            Compare two profiles
          </a>
        )}
      </div>
      <Comparison key={`${from} ${to}`} versions={versions} params={params} onSet={set} />
    </>
  );
}

interface RevisionInputProps {
  readonly label: string;
  readonly versions: VersionColumns;
  readonly value: string;
  readonly onChoose: (name: string) => void;
}

/** Maximum number of offered commits; others are named by their id. */
const maxOffered = 60;

/** A revision: typed, or one of the names and newest commits. */
function RevisionInput({ label, versions, value, onChoose }: RevisionInputProps): JSX.Element {
  const id = `${label.toLowerCase()}-revisions`;
  const commits = [...matchingCommits(versions, "", () => true).subarray(0, maxOffered)];
  return (
    <label>
      {label}
      <input
        list={id}
        value={shown(value)}
        spellcheck={false}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => onChoose(event.currentTarget.value.trim())}
      />
      <datalist id={id}>
        {versions.facts.names.toReversed().map(([index, name]) => (
          <option key={name} value={shown(name)} label={shown(versions.facts.subjects[index] ?? "").slice(0, 60)} />
        ))}
        {commits.map((index) => (
          <option
            key={index}
            value={shortId(versions.facts.ids[index] ?? "")}
            label={shown(versions.facts.subjects[index] ?? "").slice(0, 60)}
          />
        ))}
      </datalist>
    </label>
  );
}

interface ComparisonProps {
  readonly versions: VersionColumns;
  readonly params: Route["params"];
  readonly onSet: (next: Route["params"]) => void;
}

/** Fails with a readable Error for an unknown revision. */
async function load(source: PageSource, versions: VersionColumns, params: Route["params"]): Promise<LoadedComparison> {
  const [from, to] = ["from", "to"].map((side) => {
    const index = resolveCommit(versions, params[side] ?? "");
    if (index >= 0) return index;
    throw new Error(`No such commit in this history: ${(params[side] ?? "").slice(0, 80)}`);
  }) as [number, number];
  const [series, changes, levels] = await Promise.all([source.series(), source.changes(), source.levels(from, to)]);
  return { versions, series, changes, levels, rows: compareStates(series, changes, levels) };
}

function Comparison({ versions, params, onSet }: ComparisonProps): JSX.Element {
  const { source, revision } = usePage();
  const answer = useLoaded(() => load(source, versions, params), [revision, versions, params["from"], params["to"]]);
  return (
    <Loaded of={answer} what="the comparison">
      {(loaded) => (
        <>
          <p class="lead sentence" role="status">
            <Text of={comparisonSentence(loaded.rows, loaded.series)} short={300} />
          </p>
          <Commits loaded={loaded} />
          <ComparisonTable loaded={loaded} params={params} onSet={onSet} />
        </>
      )}
    </Loaded>
  );
}

function Commits({ loaded: { versions, levels } }: { readonly loaded: LoadedComparison }): JSX.Element {
  const { from, to } = levels.facts;
  const earlier = (side: "beforeAt" | "afterAt", commit: number): number =>
    Array.from(levels.arrays[side]).filter((at) => at >= 0 && at !== commit).length;
  const [before, after] = [earlier("beforeAt", from), earlier("afterAt", to)];
  return (
    <p class="quiet sides">
      <Commit of={commitLine(versions, from)} /> → <Commit of={commitLine(versions, to)} />
      {before + after > 0 && (
        <span>
          {" "}
          Series that were not measured there are compared by their nearest earlier values: {before} on the left,{" "}
          {after} on the right.
        </span>
      )}
    </p>
  );
}

function Commit({ of }: { readonly of: CommitLine | undefined }): JSX.Element {
  return (
    <>
      <a class="code" href={href("commits", of?.id ?? "")}>
        {shortId(of?.id ?? "")}
      </a>{" "}
      {dayText(of?.date ?? 0)} <Text of={of?.subject ?? ""} short={60} />
    </>
  );
}
