import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { LiveSource, RunLine } from "../../src/core/pages/source.ts";
import { Answered, useAnswer } from "../answer.tsx";
import { countText, timeText } from "../numbers.ts";
import { usePage } from "../page-context.ts";
import { href } from "../route.ts";
import { Text } from "../text.tsx";

interface EvidenceProps {
  readonly source: LiveSource;
  /** Places in the lists. */
  readonly series: number;
  readonly version: number;
  /** Id of the version. */
  readonly id: string;
}

/** Milliseconds: who walks along a history does not ask of each point that is passed. */
const rest = 250;

/** What a point rests on, asked for when somebody wants to see it. */
export function EvidencePanel({ source, series, version, id }: EvidenceProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What this rests on</summary>
      {isOpen && <Rests key={version} source={source} series={series} version={version} id={id} />}
    </details>
  );
}

function Rests({ source, series, version, id }: EvidenceProps): JSX.Element {
  const { moment } = usePage();
  const evidence = useAnswer(async () => {
    await new Promise((resolve) => setTimeout(resolve, rest));
    return source.evidence(series, version);
  }, [moment, series, version]);
  return (
    <Answered of={evidence} what="runs and profiles">
      {({ profiles, runs, more }) => (
        <ul class="evidence">
          {profiles.map((line) => (
            <li key={line.object}>
              <a href={href("profiles", "", { version: id, object: line.object })}>
                <Text of={line.name} short={120} />
              </a>{" "}
              <span class="quiet">{timeText(line.time)}</span>
            </li>
          ))}
          {runs.map((run) => (
            <li key={run.number}>
              <Run of={run} />
            </li>
          ))}
          {more > 0 && <li class="quiet">and {countText(more)} older ones</li>}
          {profiles.length + runs.length === 0 && <li>Nothing of it is there any longer.</li>}
        </ul>
      )}
    </Answered>
  );
}

function Run({ of }: { of: RunLine }): JSX.Element {
  return (
    <>
      run {of.number} {of.words !== "" && <Text of={of.words} short={120} />}{" "}
      <span class="quiet">
        {[timeText(of.performed), `${countText(of.dataSets)} data sets`].filter((part) => part !== "").join(", ")}
        {of.performer !== "" && (
          <>
            {", by "}
            <Text of={of.performer} short={60} />
          </>
        )}
        {of.files.map((file, i) => (
          <div key={i}>
            <Text of={file} short={200} code />
          </div>
        ))}
        {of.moreFiles > 0 && <div>and {countText(of.moreFiles)} more files</div>}
      </span>
    </>
  );
}
