import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { VersionColumns } from "../../src/core/pages/index.ts";
import { dayText, shortId } from "../model/number-text.ts";
import { shown } from "./text.tsx";
import { matchingCommits, type CommitLine, commitLine } from "../model/commit-lines.ts";

/** Maximum number of options; the commits page reaches all others. */
const maxOffered = 400;

interface CommitChoiceProps {
  readonly label: string;
  readonly versions: VersionColumns;
  readonly chosen: CommitLine | undefined;
  readonly onChoose: (id: string) => void;
}

/** A selection of the commits with profiles, newest first. */
export function CommitChoice({ label, versions, chosen, onChoose }: CommitChoiceProps): JSX.Element {
  const offered = useMemo(() => {
    const indexes = [
      ...matchingCommits(versions, "", (index) => (versions.arrays.profiles[index] ?? 0) > 0).subarray(0, maxOffered),
    ];
    if (chosen !== undefined && !indexes.includes(chosen.index)) indexes.unshift(chosen.index);
    return indexes.flatMap((index) => commitLine(versions, index) ?? []);
  }, [versions, chosen?.index]);
  return (
    <label>
      {label}
      <select value={chosen?.id ?? ""} onChange={(event) => onChoose(event.currentTarget.value)}>
        {chosen === undefined && <option value="">select a commit</option>}
        {offered.map(({ id, date, subject }) => (
          <option key={id} value={id}>
            {`${shortId(id)} ${dayText(date)} ${shown(subject).slice(0, 60)}`}
          </option>
        ))}
      </select>
    </label>
  );
}
