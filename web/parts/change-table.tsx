import type { ChangeLine } from "../../src/core/pages/index.ts";
import { sharedWords } from "../../src/core/text/index.ts";
import { shortId, valueText } from "../model/number-text.ts";
import { href } from "../context/route.ts";
import { SharedWordsLine, Text, withoutColumnName } from "./text.tsx";
import { Delta, Outcome } from "./outcome.tsx";
import type { JSX } from "preact";

const width = 120;
const height = 26;
const edge = 3;

/** A small line chart with the newest value marked; the numbers are in the table. */
function Sparkline({ of }: { readonly of: readonly number[] }): JSX.Element {
  const finite = of.filter(Number.isFinite);
  const low = Math.min(...finite);
  const span = Math.max(...finite) - low;
  const x = (i: number): number => edge + (of.length < 2 ? 0.5 : i / (of.length - 1)) * (width - 2 * edge);
  const y = (value: number): number => height - edge - (span === 0 ? 0.5 : (value - low) / span) * (height - 2 * edge);
  const steps = of.flatMap((value, i) => (Number.isFinite(value) ? [`${x(i).toFixed(1)} ${y(value).toFixed(1)}`] : []));
  const last = of.findLastIndex(Number.isFinite);
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {steps.length > 1 && <path d={`M${steps.join("L")}`} />}
      {last >= 0 && <circle cx={x(last)} cy={y(of[last] ?? 0)} r="2.4" />}
    </svg>
  );
}

/** Changes as a table. */
export function ChangeTable({ lines }: { readonly lines: readonly ChangeLine[] }): JSX.Element {
  const names = sharedWords(lines.map(({ benchmark }) => benchmark));
  return (
    <>
      <SharedWordsLine of={names} />
      <div class="scrolls" tabIndex={0} role="region" aria-label="Changes">
        <table class="changes">
          <thead>
            <tr>
              <th scope="col" class="fit">
                verdict
              </th>
              <th scope="col">benchmark</th>
              <th scope="col" class="number fit">
                change
              </th>
              <th scope="col" class="spare fit">
                history
              </th>
              <th scope="col" class="number spare fit">
                latest
              </th>
              <th scope="col" class="spare">
                since
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <ChangeRow key={line.key} line={line} name={withoutColumnName(names.ownPart(line.benchmark))} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** `name`: the benchmark without the words that all rows share. */
function ChangeRow({ line, name }: { line: ChangeLine; name: string }): JSX.Element {
  return (
    <tr>
      <td>
        <Outcome of={line.outcome} />
        {line.triage !== null && (
          <div class="quiet">
            <Text of={line.triage} short={40} />
          </div>
        )}
      </td>
      <td>
        <a href={href("series", line.key)}>
          <Text of={name} short={160} />
        </a>
        <div class="quiet">
          <Text of={line.metric} short={80} />
        </div>
        {line.since !== null && (
          <div class="narrow-only">
            since <Since of={line.since} />
          </div>
        )}
      </td>
      <td class="number">
        <Delta of={line.delta} low={line.deltaLow} high={line.deltaHigh} />
      </td>
      <td class="spare">
        <Sparkline of={line.spark} />
      </td>
      <td class="number spare">
        <Text of={valueText(line.latest ?? Number.NaN, line.unit)} short={24} />
      </td>
      <td class="spare">{line.since !== null && <Since of={line.since} />}</td>
    </tr>
  );
}

function Since({ of }: { of: NonNullable<ChangeLine["since"]> }): JSX.Element {
  return (
    <>
      <a class="code" href={href("commits", of.after)}>
        {shortId(of.after)}
      </a>
      {of.suspects > 1 && <span class="quiet"> one of {of.suspects}</span>}
      <div class="quiet">
        <Text of={of.subject} short={80} />
      </div>
    </>
  );
}
