import type { JSX } from "preact";
import type { VersionColumns } from "../../src/core/pages/columns.ts";
import { changesOf } from "../change-lines.ts";
import { Answered, useAnswer } from "../answer.tsx";
import { shortId, timeText } from "../numbers.ts";
import { usePage } from "../page-context.ts";
import type { PageProps } from "../page-props.ts";
import { FoundChanges } from "../parts/found-changes.tsx";
import { ProfileTable } from "../parts/profile-table.tsx";
import { href } from "../route.ts";
import { Text } from "../text.tsx";
import { placeOfVersion, type VersionLine, versionLine } from "../version-lines.ts";

/** One version: what is known of it, what changed there, its profiles. */
export function CommitPage({ route }: PageProps): JSX.Element {
  const { source, moment } = usePage();
  const answer = useAnswer(async () => {
    const versions = await source.versions();
    const version = versionLine(versions, placeOfVersion(versions, route.of));
    if (version === undefined) throw new Error(`There is no version ${route.of.slice(0, 60)}`);
    const [series, changes] = await Promise.all([source.series(), source.changes()]);
    const profiles = version.profiles > 0 ? await source.profiles(version.place) : [];
    return { versions, version, profiles, series, changes };
  }, [moment, route.of]);
  return (
    <Answered of={answer} what="the commit">
      {({ versions, version, profiles, series, changes }) => {
        const places = changesOf(changes, "after", version.place);
        return (
          <>
            <h1>
              <Text of={version.subject === "" ? version.id : version.subject} short={400} />
            </h1>
            <Facts of={version} versions={versions} />
            <h2>What changed here</h2>
            {places.length === 0 ? (
              <p class="quiet">No change was found here.</p>
            ) : (
              <FoundChanges series={series} changes={changes} places={places} />
            )}
            <h2>Profiles</h2>
            {profiles.length === 0 ? (
              <p class="quiet">No profile is registered here.</p>
            ) : (
              <ProfileTable of={profiles} version={version.id} />
            )}
          </>
        );
      }}
    </Answered>
  );
}

function Facts({ of, versions }: { of: VersionLine; versions: VersionColumns }): JSX.Element {
  const parent = versionLine(versions, of.parent);
  const next = versionLine(versions, versions.arrays.parents.indexOf(of.place));
  return (
    <dl class="facts">
      <dt>commit</dt>
      <dd class="code">{of.id}</dd>
      <dt>author</dt>
      <dd>
        <Text of={of.author} short={200} />
      </dd>
      <dt>date</dt>
      <dd>{timeText(of.date)}</dd>
      <Neighbour title="before" of={parent} />
      <Neighbour title="after" of={next} />
    </dl>
  );
}

function Neighbour({ title, of }: { title: string; of: VersionLine | undefined }): JSX.Element | null {
  if (of === undefined) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <a class="code" href={href("commits", of.id)}>
          {shortId(of.id)}
        </a>{" "}
        <Text of={of.subject} short={100} />
      </dd>
    </>
  );
}
