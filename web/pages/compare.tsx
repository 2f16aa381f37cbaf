import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { machinesNamed } from "../../src/core/measurements/index.ts";
import type { MachineColumns, PageSource, VersionColumns } from "../../src/core/pages/index.ts";
import { compareStates, comparisonSentence, machineLevels } from "../../src/query/pages/index.ts";
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

/** Everything measured at two commits or on two machines; with profiles in the address their difference. */
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
  const known = useLoaded(() => Promise.all([source.versions(), source.machines()]), [revision]);
  return (
    <Loaded of={known} what="commits">
      {([versions, machines]) => (
        <Sides
          versions={versions}
          machines={machines}
          params={{ ...defaultSides(versions), ...params }}
          hasProfiles={hasProfiles}
        />
      )}
    </Loaded>
  );
}

interface SidesProps extends TwoCommitsProps {
  readonly versions: VersionColumns;
  readonly machines: MachineColumns;
}

/** The choice of the two commits or machines, and their comparison. The address always names both. */
function Sides({ versions, machines, params, hasProfiles }: SidesProps): JSX.Element {
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
        <SideInput
          label="From"
          versions={versions}
          machines={machines}
          value={from}
          onChoose={(name) => set({ from: name })}
        />
        <SideInput
          label="To"
          versions={versions}
          machines={machines}
          value={to}
          onChoose={(name) => set({ to: name })}
        />
        <button type="button" onClick={() => set({ from: to, to: from })}>
          Swap
        </button>
        {hasProfiles && (
          <a class="button" href={href("compare", "", { what: "profiles" })}>
            Compare two profiles
          </a>
        )}
      </div>
      <Comparison key={`${from} ${to}`} versions={versions} machines={machines} params={params} onSet={set} />
    </>
  );
}

interface SideInputProps extends Pick<SidesProps, "versions" | "machines"> {
  readonly label: string;
  readonly value: string;
  readonly onChoose: (name: string) => void;
}

/** Maximum number of offered commits; others are named by their id. */
const maxOffered = 60;

/** A revision or a machine: typed, or one of the names and newest commits. */
function SideInput({ label, versions, machines, value, onChoose }: SideInputProps): JSX.Element {
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
        {machines.facts.machines.map((name) => (
          <option key={name} value={shown(`${machinePrefix}${name}`)} />
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

const machinePrefix = "machine:";

interface ComparisonProps extends Pick<SidesProps, "versions" | "machines"> {
  readonly params: Route["params"];
  readonly onSet: (next: Route["params"]) => void;
}

/** Fails with a readable Error for an unknown revision or machine. */
async function load(source: PageSource, props: Omit<ComparisonProps, "onSet">): Promise<LoadedComparison> {
  const { versions, machines, params } = props;
  const names = [params["from"] ?? "", params["to"] ?? ""];
  const ofMachines = names.filter((name) => name.startsWith(machinePrefix)).length;
  if (ofMachines === 1) throw new Error("A machine is compared with a machine: name one on both sides.");
  const [from, to] = names.map((name) => (ofMachines > 0 ? machineIndex(machines, name) : commitIndex(versions, name)));
  const [series, changes] = await Promise.all([source.series(), source.changes()]);
  const levels = ofMachines > 0 ? machineLevels(series, machines, [from!, to!]) : await source.levels(from!, to!);
  const rows = compareStates(series, changes, levels);
  const sides = ofMachines > 0 ? { machines: { columns: machines, sides: [from!, to!] } } : {};
  return { versions, series, changes, levels, rows, ...sides };
}

function commitIndex(versions: VersionColumns, name: string): number {
  const index = resolveCommit(versions, name);
  if (index >= 0) return index;
  throw new Error(`No such commit in this history: ${name.slice(0, 80)}`);
}

function machineIndex({ facts: { machines } }: MachineColumns, name: string): number {
  const found = machinesNamed(machines, name.slice(machinePrefix.length));
  if (found.length === 1) return machines.indexOf(found[0]!);
  const all = machines.map((machine) => machinePrefix + machine).join(", ");
  throw new Error(
    `${found.length > 1 ? "Several machines are" : "No machine is"} named ${name.slice(0, 80)}; known: ${all}`,
  );
}

function Comparison({ versions, machines, params, onSet }: ComparisonProps): JSX.Element {
  const { source, revision } = usePage();
  const answer = useLoaded(
    () => load(source, { versions, machines, params }),
    [revision, versions, machines, params["from"], params["to"]],
  );
  return (
    <Loaded of={answer} what="the comparison">
      {(loaded) => (
        <>
          <p class="lead sentence" role="status">
            <Text of={comparisonSentence(loaded.rows, loaded.series)} short={300} />
          </p>
          {loaded.levels.facts.from < 0 ? (
            <p class="quiet">
              Each series is compared at the newest commit that both machines measured; its charts show both machines.
            </p>
          ) : (
            <Commits loaded={loaded} />
          )}
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
