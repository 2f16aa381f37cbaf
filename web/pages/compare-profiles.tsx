import type { JSX } from "preact";
import type { VersionColumns, ProfileLine } from "../../src/core/pages/index.ts";
import { Loaded, useLoaded } from "../parts/answer.tsx";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { Difference } from "./profile-difference.tsx";
import { ProfileChoice } from "../parts/profile-choice.tsx";
import { CommitChoice } from "../parts/commit-choice.tsx";
import { go, href, type Route } from "../context/route.ts";
import { shown } from "../parts/text.tsx";
import { indexOfCommit, type CommitLine, commitLine } from "../model/commit-lines.ts";

/** The difference of two profiles: of any two in the dashboard, of the stored pairs in a report. */
export function CompareProfilesPage({ route }: PageProps): JSX.Element {
  const { source } = usePage();
  return (
    <>
      <h1>Compare profiles</h1>
      {source.live === undefined ? (
        <StoredDifferences params={route.params} />
      ) : (
        <AnyTwoProfiles params={route.params} />
      )}
    </>
  );
}

/** The differences stored in a report. */
function StoredDifferences({ params }: { params: Route["params"] }): JSX.Element {
  const { source, revision } = usePage();
  const stored = useLoaded(() => source.differences(), [revision]);
  return (
    <Loaded of={stored} what="differences">
      {(differences) => {
        const chosen = differences.findIndex(
          ([base, target]) => base === params["base"] && target === params["target"],
        );
        const [base, target] = differences[Math.max(0, chosen)] ?? [];
        if (base === undefined || target === undefined) return <p>This report contains no profile differences.</p>;
        const choose = (index: number): void => {
          const [before = "", after = ""] = differences[index] ?? [];
          go(href("compare", "", { base: before, target: after }), true);
        };
        return (
          <>
            <div class="bar">
              <label>
                Difference
                <select value={Math.max(0, chosen)} onChange={(event) => choose(Number(event.currentTarget.value))}>
                  {differences.map(([, , title], i) => (
                    <option key={i} value={i}>
                      {shown(title).slice(0, 120)}
                    </option>
                  ))}
                </select>
              </label>
            </div>
            <Difference key={`${base} ${target}`} base={base} target={target} />
          </>
        );
      }}
    </Loaded>
  );
}

interface Side {
  readonly version: CommitLine | undefined;
  readonly profiles: readonly ProfileLine[];
}

function AnyTwoProfiles({ params }: { params: Route["params"] }): JSX.Element {
  const { source, revision } = usePage();
  const answer = useLoaded(async () => {
    const versions = await source.versions();
    const side = async (id: string): Promise<Side> => {
      const version = commitLine(versions, indexOfCommit(versions, id));
      return { version, profiles: version === undefined ? [] : await source.profiles(version.index) };
    };
    return { versions, before: await side(params["before"] ?? ""), after: await side(params["after"] ?? "") };
  }, [revision, params["before"], params["after"]]);
  return (
    <Loaded of={answer} what="profiles">
      {(loaded) => <PairView {...loaded} params={params} />}
    </Loaded>
  );
}

interface ChosenProps {
  readonly versions: VersionColumns;
  readonly before: Side;
  readonly after: Side;
  readonly params: Route["params"];
}

function PairView({ versions, before, after, params }: ChosenProps): JSX.Element {
  const base = before.profiles.find(({ object }) => object === params["base"]) ?? before.profiles[0];
  const target = after.profiles.find(({ object }) => object === params["target"]) ?? mostSimilar(base, after.profiles);
  const set = (next: Route["params"]): void => {
    const all = {
      before: before.version?.id ?? "",
      after: after.version?.id ?? "",
      base: base?.object ?? "",
      target: target?.object ?? "",
      ...next,
    };
    go(href("compare", "", all), true);
  };
  return (
    <>
      <div class="bar">
        <CommitChoice
          label="Before"
          versions={versions}
          chosen={before.version}
          onChoose={(id) => set({ before: id, base: "" })}
        />
        {base !== undefined && (
          <ProfileChoice
            label="Profile before"
            profiles={before.profiles}
            chosen={base.object}
            onChoose={(object) => set({ base: object, target: "" })}
          />
        )}
      </div>
      <div class="bar">
        <CommitChoice
          label="After"
          versions={versions}
          chosen={after.version}
          onChoose={(id) => set({ after: id, target: "" })}
        />
        {target !== undefined && (
          <ProfileChoice
            label="Profile after"
            profiles={after.profiles}
            chosen={target.object}
            onChoose={(object) => set({ target: object })}
          />
        )}
        <button
          type="button"
          onClick={() =>
            set({
              before: after.version?.id ?? "",
              after: before.version?.id ?? "",
              base: target?.object ?? "",
              target: base?.object ?? "",
            })
          }
        >
          Swap
        </button>
      </div>
      {base === undefined || target === undefined ? (
        <p class="quiet">Select two commits with profiles.</p>
      ) : (
        <Difference key={`${base.object} ${target.object}`} base={base.object} target={target.object} />
      )}
    </>
  );
}

/** The profile whose collector, command and workload match best; the first of equals. */
function mostSimilar(base: ProfileLine | undefined, profiles: readonly ProfileLine[]): ProfileLine | undefined {
  const similarity = (line: ProfileLine): number =>
    Number(line.collector === base?.collector) * 4 +
    Number(line.cmd === base?.cmd) * 2 +
    Number(line.workload === base?.workload);
  return profiles.toSorted((a, b) => similarity(b) - similarity(a))[0];
}
