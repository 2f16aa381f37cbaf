import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { VersionColumns } from "../../src/core/pages/columns.ts";
import { dayText, shortId } from "../model/number-text.ts";
import { shown } from "./text.tsx";
import { fittingVersions, type VersionLine, versionLine } from "../model/version-lines.ts";

/** A list to choose from takes no more; the page of commits leads to any other. */
const mostOffered = 400;

interface VersionChoiceProps {
  readonly label: string;
  readonly versions: VersionColumns;
  readonly chosen: VersionLine | undefined;
  readonly onChoose: (id: string) => void;
}

/** A choice among the versions that have profiles, the newest first. */
export function VersionChoice({ label, versions, chosen, onChoose }: VersionChoiceProps): JSX.Element {
  const offered = useMemo(() => {
    const places = [
      ...fittingVersions(versions, "", (place) => (versions.arrays.profiles[place] ?? 0) > 0).subarray(0, mostOffered),
    ];
    if (chosen !== undefined && !places.includes(chosen.place)) places.unshift(chosen.place);
    return places.flatMap((place) => versionLine(versions, place) ?? []);
  }, [versions, chosen?.place]);
  return (
    <label>
      {label}
      <select value={chosen?.id ?? ""} onChange={(event) => onChoose(event.currentTarget.value)}>
        {chosen === undefined && <option value="">choose a version</option>}
        {offered.map(({ id, date, subject }) => (
          <option key={id} value={id}>
            {`${shortId(id)} ${dayText(date)} ${shown(subject).slice(0, 60)}`}
          </option>
        ))}
      </select>
    </label>
  );
}
