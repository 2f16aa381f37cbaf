import type { JSX } from "preact";
import type { VersionColumns } from "../../src/core/pages/columns.ts";
import type { ProfileLine } from "../../src/core/pages/source.ts";
import { Answered, useAnswer } from "../parts/answer.tsx";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { FigureView } from "../charts/figure.tsx";
import { ProfileChoice } from "../parts/profile-choice.tsx";
import { VersionChoice } from "../parts/version-choice.tsx";
import { go, href, type Route } from "../context/route.ts";
import { shown, Text } from "../parts/text.tsx";
import { placeOfVersion, type VersionLine, versionLine } from "../model/version-lines.ts";

/** What is different between two profiles: any two in the dashboard, those it holds in a report. */
export function ComparePage({ route }: PageProps): JSX.Element {
  const { source } = usePage();
  return (
    <>
      <h1>Compare</h1>
      {source.live === undefined ? <Held words={route.words} /> : <AnyTwo words={route.words} />}
    </>
  );
}

/** The differences that a report holds. */
function Held({ words }: { words: Route["words"] }): JSX.Element {
  const { source, moment } = usePage();
  const held = useAnswer(() => source.differences(), [moment]);
  return (
    <Answered of={held} what="differences">
      {(differences) => {
        const chosen = differences.findIndex(([base, target]) => base === words["base"] && target === words["target"]);
        const [base, target] = differences[Math.max(0, chosen)] ?? [];
        if (base === undefined || target === undefined) return <p>This report holds no differences of profiles.</p>;
        const choose = (place: number): void => {
          const [before = "", after = ""] = differences[place] ?? [];
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
    </Answered>
  );
}

interface Side {
  readonly version: VersionLine | undefined;
  readonly profiles: readonly ProfileLine[];
}

function AnyTwo({ words }: { words: Route["words"] }): JSX.Element {
  const { source, moment } = usePage();
  const answer = useAnswer(async () => {
    const versions = await source.versions();
    const side = async (id: string): Promise<Side> => {
      const version = versionLine(versions, placeOfVersion(versions, id));
      return { version, profiles: version === undefined ? [] : await source.profiles(version.place) };
    };
    return { versions, before: await side(words["before"] ?? ""), after: await side(words["after"] ?? "") };
  }, [moment, words["before"], words["after"]]);
  return (
    <Answered of={answer} what="profiles">
      {(told) => <Chosen {...told} words={words} />}
    </Answered>
  );
}

interface ChosenProps {
  readonly versions: VersionColumns;
  readonly before: Side;
  readonly after: Side;
  readonly words: Route["words"];
}

function Chosen({ versions, before, after, words }: ChosenProps): JSX.Element {
  const base = before.profiles.find(({ object }) => object === words["base"]) ?? before.profiles[0];
  const target = after.profiles.find(({ object }) => object === words["target"]) ?? likeliest(base, after.profiles);
  const set = (next: Route["words"]): void => {
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
        <VersionChoice
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
        <VersionChoice
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
        <p class="quiet">Choose two versions that have profiles.</p>
      ) : (
        <Difference key={`${base.object} ${target.object}`} base={base.object} target={target.object} />
      )}
    </>
  );
}

/** The profile of the same collector, command and workload, else the first. */
function likeliest(base: ProfileLine | undefined, profiles: readonly ProfileLine[]): ProfileLine | undefined {
  const likeness = (line: ProfileLine): number =>
    Number(line.collector === base?.collector) * 4 +
    Number(line.cmd === base?.cmd) * 2 +
    Number(line.workload === base?.workload);
  return profiles.toSorted((a, b) => likeness(b) - likeness(a))[0];
}

function Difference({ base, target }: { base: string; target: string }): JSX.Element {
  const { source, moment } = usePage();
  const figure = useAnswer(() => source.difference(base, target), [moment, base, target]);
  return (
    <>
      <p class="quiet">
        <Text of={base} short={12} code /> → <Text of={target} short={12} code />
      </p>
      <Answered of={figure} what="the difference">
        {(drawn) => <FigureView figure={drawn} />}
      </Answered>
    </>
  );
}
