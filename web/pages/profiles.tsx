import type { JSX } from "preact";
import type { VersionColumns, ProfileLine, ViewChoice } from "../../src/core/pages/index.ts";
import { Failed, Loaded, useLoaded } from "../parts/answer.tsx";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { FigureView } from "../charts/figure.tsx";
import { ProfileChoice } from "../parts/profile-choice.tsx";
import { type ChosenOptions, ViewOptions } from "../parts/view-options.tsx";
import { CommitChoice } from "../parts/commit-choice.tsx";
import { go, href, type Route } from "../context/route.ts";
import { shown, Text } from "../parts/text.tsx";
import { matchingCommits, indexOfCommit, type CommitLine, commitLine } from "../model/commit-lines.ts";

/** A profile of a commit in any view. */
export function ProfilesPage({ route }: PageProps): JSX.Element {
  const { source, revision } = usePage();
  const answer = useLoaded(async () => {
    const versions = await source.versions();
    const version = commitLine(versions, selectedCommit(versions, route.params["version"] ?? ""));
    return { versions, version, profiles: version === undefined ? [] : await source.profiles(version.index) };
  }, [revision, route.params["version"]]);
  return (
    <>
      <h1>Profiles</h1>
      <Loaded of={answer} what="profiles">
        {(loaded) => <Explorer {...loaded} params={route.params} />}
      </Loaded>
    </>
  );
}

/** The commit of the address; by default the newest with profiles. */
function selectedCommit(versions: VersionColumns, id: string): number {
  const named = indexOfCommit(versions, id);
  return named >= 0
    ? named
    : (matchingCommits(versions, "", (index) => (versions.arrays.profiles[index] ?? 0) > 0)[0] ?? -1);
}

interface ExplorerProps {
  readonly versions: VersionColumns;
  readonly version: CommitLine | undefined;
  readonly profiles: readonly ProfileLine[];
  readonly params: Route["params"];
}

function Explorer({ versions, version, profiles, params }: ExplorerProps): JSX.Element {
  const profile = profiles.find(({ object }) => object === params["object"]) ?? profiles[0];
  const set = (next: Route["params"]): void => go(href("profiles", "", { version: version?.id ?? "", ...next }), true);
  return (
    <>
      <div class="bar">
        <CommitChoice label="Commit" versions={versions} chosen={version} onChoose={(id) => set({ version: id })} />
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
        <p class="quiet">This commit has no profiles.</p>
      ) : (
        <Views
          key={profile.object}
          profile={profile}
          selected={params["view"] ?? ""}
          options={optionsIn(params["options"] ?? "{}")}
          onView={(view, options) => set({ object: profile.object, view, options: JSON.stringify(options) })}
        />
      )}
    </>
  );
}

/** The options of the address; other fields are ignored. */
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
  /** Name of a view; empty: the first with data to show. */
  readonly selected: string;
  readonly options: ChosenOptions;
  readonly onView: (view: string, options: ChosenOptions) => void;
}

function Views({ profile, selected, options, onView }: ViewsProps): JSX.Element {
  const { source, revision } = usePage();
  const { object } = profile;
  const view = useLoaded(
    async () => (selected === "" ? source.firstView(object) : selected),
    [revision, object, selected],
  );
  const name = view.state === "there" ? view.value : undefined;
  // The picture comes first: to find all views that fit, each of them is drawn.
  const choices = useLoaded(async () => {
    if (name === undefined) return [];
    if (name !== "") await source.view(object, name, options).catch(() => undefined);
    return source.views(object);
  }, [revision, object, name === undefined]);
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
      {choices.state === "failed" && <Failed message={choices.message} />}
      <Loaded of={view} what="the profile">
        {(drawn) =>
          drawn === "" ? (
            <p class="quiet">No views are available for this profile.</p>
          ) : (
            <ChosenView
              object={object}
              choices={choices.state === "there" ? choices.value : []}
              view={drawn}
              options={options}
              onView={onView}
            />
          )
        }
      </Loaded>
    </>
  );
}

interface ChosenViewProps extends Pick<ViewsProps, "options" | "onView"> {
  readonly object: string;
  /** The views that fit the profile; empty until they are known. */
  readonly choices: readonly ViewChoice[];
  readonly view: string;
}

function ChosenView({ object, choices, view, options, onView }: ChosenViewProps): JSX.Element {
  const choice = choices.find(({ name }) => name === view);
  return (
    <>
      <div class="bar">
        <label>
          View
          <select value={view} onChange={(event) => onView(event.currentTarget.value, {})}>
            {choice === undefined && <option value={view}>{shown(view)}</option>}
            {choices.map(({ name }) => (
              <option key={name} value={name} selected={name === view}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Speedscope object={object} />
      </div>
      {choice !== undefined && choice.synopsis !== "" && (
        <p class="quiet">
          <Text of={choice.synopsis} short={300} />
        </p>
      )}
      {choice !== undefined && (
        <ViewOptions key={view} options={choice.options} chosen={options} onChoose={(chosen) => onView(view, chosen)} />
      )}
      <View key={`${view} drawn`} object={object} view={view} options={options} />
    </>
  );
}

function View({ object, view, options }: { object: string; view: string; options: ChosenOptions }): JSX.Element {
  const { source, revision } = usePage();
  const figure = useLoaded(() => source.view(object, view, options), [revision, object, view, JSON.stringify(options)]);
  return (
    <Loaded of={figure} what="the view">
      {(drawn) => <FigureView figure={drawn} />}
    </Loaded>
  );
}

/** A link that opens the profile in speedscope, if it is available. */
function Speedscope({ object }: { object: string }): JSX.Element | null {
  const { source } = usePage();
  const address = useLoaded(async () => source.speedscope?.(object), [object]);
  if (address.state !== "there" || address.value === undefined) return null;
  return (
    <a class="button" href={address.value} target="_blank" rel="noopener">
      Open in speedscope
    </a>
  );
}
