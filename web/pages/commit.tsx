import type { VersionColumns, ChangeColumns, SeriesColumns } from "../../src/core/pages/columns.ts";
import type { ProfileLine } from "../../src/core/pages/source.ts";
import { Answered, useAnswer } from "../parts/answer.tsx";
import { changesOf, foundChange } from "../model/change-lines.ts";
import { shortId, timeText, countText } from "../model/number-text.ts";
import { usePage } from "../context/page-context.ts";
import type { PageProps } from "./page-props.ts";
import { type VirtualColumn, VirtualRows } from "../parts/virtual-rows.tsx";
import { Delta, Word } from "../parts/outcome.tsx";
import { href } from "../context/route.ts";
import { Text } from "../parts/text.tsx";
import { placeOfVersion, type VersionLine, versionLine } from "../model/version-lines.ts";
import type { JSX } from "preact";

const heads: readonly VirtualColumn[] = [
  { label: "verdict", width: "104px" },
  { label: "benchmark", width: "minmax(0, 3fr)" },
  { label: "metric", width: "minmax(0, 1fr)", spare: true },
  { label: "change", width: "minmax(84px, 1.6fr)", right: true },
  { label: "suspects", width: "76px", right: true, spare: true },
  { label: "decided", width: "92px", spare: true },
];

interface FoundChangesProps {
  readonly series: SeriesColumns;
  readonly changes: ChangeColumns;
  /** Which of the changes. */
  readonly places: readonly number[];
}

/** Changes of a version, however many there are. */
function FoundChanges({ series, changes, places }: FoundChangesProps): JSX.Element {
  const cells = (row: number): JSX.Element[] => {
    const change = foundChange(changes, series, places[row] ?? -1);
    return [
      <Word of={change.word} />,
      <a href={href("series", change.series.key)}>
        <Text of={change.series.benchmark} short={200} />
      </a>,
      <Text of={change.series.metric} short={80} />,
      <Delta of={change.delta} low={change.low} high={change.high} />,
      <>{change.suspects > 1 ? countText(change.suspects) : ""}</>,
      <Text of={change.triage ?? ""} short={40} />,
    ];
  };
  return <VirtualRows label="Changes" columns={heads} count={places.length} cells={cells} />;
}

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

/** The profiles of a version, each with a way to look into it. */
function ProfileTable({ of, version }: { readonly of: readonly ProfileLine[]; readonly version: string }): JSX.Element {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Profiles">
      <table>
        <thead>
          <tr>
            <th scope="col">profile</th>
            <th scope="col">type</th>
            <th scope="col">collector</th>
            <th scope="col" class="spare">
              command
            </th>
            <th scope="col" class="spare">
              workload
            </th>
            <th scope="col" class="spare">
              time
            </th>
          </tr>
        </thead>
        <tbody>
          {of.map((line) => (
            <tr key={`${line.object} ${line.name}`}>
              <td>
                <a href={href("profiles", "", { version, object: line.object })}>
                  <Text of={line.name} short={100} />
                </a>
              </td>
              <td>
                <Text of={line.type} short={40} />
              </td>
              <td>
                <Text of={line.collector} short={40} />
              </td>
              <td class="spare">
                <Text of={line.cmd} short={80} code />
              </td>
              <td class="spare">
                <Text of={line.workload} short={60} />
              </td>
              <td class="spare">{timeText(line.time)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
