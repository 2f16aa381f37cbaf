import type { JSX } from "preact";
import type { ProfileLine } from "../../src/core/pages/index.ts";
import { shown } from "./text.tsx";

interface ProfileChoiceProps {
  readonly label: string;
  readonly profiles: readonly ProfileLine[];
  readonly chosen: string;
  readonly onChoose: (object: string) => void;
}

export function ProfileChoice({ label, profiles, chosen, onChoose }: ProfileChoiceProps): JSX.Element {
  return (
    <label>
      {label}
      <select value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
        {profiles.map((line) => (
          <option key={line.object} value={line.object}>
            {profileTitle(line)}
          </option>
        ))}
      </select>
    </label>
  );
}

function profileTitle({ name, collector, cmd, workload }: ProfileLine): string {
  const parts = [collector, cmd, workload].filter((part) => part !== "").map((part) => shown(part).slice(0, 30));
  return `${shown(name).slice(0, 60)} (${parts.join(" ")})`;
}
