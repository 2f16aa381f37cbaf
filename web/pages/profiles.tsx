import type { JSX } from "preact";
import type { VersionColumns } from "../../src/core/pages/columns.ts";
import type { ProfileLine, ViewChoice } from "../../src/core/pages/source.ts";
import { Answered, useAnswer } from "../parts/answer.tsx";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { FigureView } from "../charts/figure.tsx";
import { ProfileChoice } from "../parts/profile-choice.tsx";
import { type ChosenOptions, ViewOptions } from "../parts/view-options.tsx";
import { VersionChoice } from "../parts/version-choice.tsx";
import { go, href, type Route } from "../context/route.ts";
import { Text } from "../parts/text.tsx";
import { fittingVersions, placeOfVersion, type VersionLine, versionLine } from "../model/version-lines.ts";

/** A profile of a version, seen by any view. */
export function ProfilesPage({ route }: PageProps): JSX.Element {
  const { source, moment } = usePage();
  const answer = useAnswer(async () => {
    const versions = await source.versions();
    const version = versionLine(versions, wantedVersion(versions, route.words["version"] ?? ""));
    return { versions, version, profiles: version === undefined ? [] : await source.profiles(version.place) };
  }, [moment, route.words["version"]]);
  return (
    <>
      <h1>Profiles</h1>
      <Answered of={answer} what="profiles">
        {(told) => <Explorer {...told} words={route.words} />}
      </Answered>
    </>
  );
}

/** That of the address, else the newest that has profiles. */
function wantedVersion(versions: VersionColumns, id: string): number {
  const named = placeOfVersion(versions, id);
  return named >= 0
    ? named
    : (fittingVersions(versions, "", (place) => (versions.arrays.profiles[place] ?? 0) > 0)[0] ?? -1);
}

interface ExplorerProps {
  readonly versions: VersionColumns;
  readonly version: VersionLine | undefined;
  readonly profiles: readonly ProfileLine[];
  readonly words: Route["words"];
}

function Explorer({ versions, version, profiles, words }: ExplorerProps): JSX.Element {
  const profile = profiles.find(({ object }) => object === words["object"]) ?? profiles[0];
  const set = (next: Route["words"]): void => go(href("profiles", "", { version: version?.id ?? "", ...next }), true);
  return (
    <>
      <div class="bar">
        <VersionChoice label="Version" versions={versions} chosen={version} onChoose={(id) => set({ version: id })} />
        {profile !== undefined && (
          <ProfileChoice
            label="Profile"
            profiles={profiles}
            chosen={profile.object}
            onChoose={(object) => set({ object })}
          />
        )}
      </div>
      {profile === undefined ? (
        <p class="quiet">No profile is registered there.</p>
      ) : (
        <Views
          key={profile.object}
          profile={profile}
          wanted={words["view"] ?? ""}
          options={optionsIn(words["options"] ?? "{}")}
          onView={(view, options) => set({ object: profile.object, view, options: JSON.stringify(options) })}
        />
      )}
    </>
  );
}

/** Those of the address; what is none of ours is left out. */
function optionsIn(text: string): ChosenOptions {
  try {
    const found: unknown = JSON.parse(text);
    const fields = typeof found === "object" && found !== null ? Object.entries(found) : [];
    return Object.fromEntries(fields.filter((field): field is [string, string] => typeof field[1] === "string"));
  } catch {
    return {};
  }
}

interface ViewsProps {
  readonly profile: ProfileLine;
  /** Name of a view; empty: the first that has something to show. */
  readonly wanted: string;
  readonly options: ChosenOptions;
  readonly onView: (view: string, options: ChosenOptions) => void;
}

function Views({ profile, wanted, options, onView }: ViewsProps): JSX.Element {
  const { source, moment } = usePage();
  const views = useAnswer(async () => {
    const choices = await source.views(profile.object);
    return { choices, first: wanted === "" ? await source.firstView(profile.object) : "" };
  }, [moment, profile.object, wanted === ""]);
  return (
    <>
      <dl class="facts">
        <dt>collected by</dt>
        <dd>
          <Text of={profile.collector} short={80} /> (<Text of={profile.type} short={80} />)
        </dd>
        <dt>command</dt>
        <dd>
          <Text of={`${profile.cmd} ${profile.workload}`.trim()} short={400} code />
        </dd>
      </dl>
      <Answered of={views} what="views">
        {({ choices, first }) =>
          choices.length === 0 ? (
            <p class="quiet">There is no picture of this profile here.</p>
          ) : (
            <ChosenView
              object={profile.object}
              choices={choices}
              view={choices.find(({ name }) => name === (wanted === "" ? first : wanted))}
              options={options}
              onView={onView}
            />
          )
        }
      </Answered>
    </>
  );
}

interface ChosenViewProps extends Pick<ViewsProps, "options" | "onView"> {
  readonly object: string;
  readonly choices: readonly ViewChoice[];
  /** undefined: none has anything to show. */
  readonly view: ViewChoice | undefined;
}

function ChosenView({ object, choices, view, options, onView }: ChosenViewProps): JSX.Element {
  return (
    <>
      <div class="bar">
        <label>
          View
          <select value={view?.name ?? ""} onChange={(event) => onView(event.currentTarget.value, {})}>
            {view === undefined && <option value="">none</option>}
            {choices.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Speedscope object={object} />
      </div>
      {view === undefined ? (
        <p class="quiet">None of the views has anything to show of this profile as it is.</p>
      ) : (
        <>
          {view.synopsis !== "" && (
            <p class="quiet">
              <Text of={view.synopsis} short={300} />
            </p>
          )}
          <ViewOptions
            key={view.name}
            options={view.options}
            chosen={options}
            onChoose={(chosen) => onView(view.name, chosen)}
          />
          <View key={`${view.name} drawn`} object={object} view={view.name} options={options} />
        </>
      )}
    </>
  );
}

function View({ object, view, options }: { object: string; view: string; options: ChosenOptions }): JSX.Element {
  const { source, moment } = usePage();
  const figure = useAnswer(() => source.view(object, view, options), [moment, object, view, JSON.stringify(options)]);
  return (
    <Answered of={figure} what="the picture">
      {(drawn) => <FigureView figure={drawn} />}
    </Answered>
  );
}

/** Where speedscope is at hand, the way to it with the profile loaded. */
function Speedscope({ object }: { object: string }): JSX.Element | null {
  const { source } = usePage();
  const address = useAnswer(async () => source.speedscope?.(object), [object]);
  if (address.state !== "there" || address.value === undefined) return null;
  return (
    <a class="button" href={address.value} target="_blank" rel="noopener">
      Open in speedscope
    </a>
  );
}
