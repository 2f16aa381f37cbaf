import type { JSX } from "preact";
import type { ChangeLine } from "../../src/core/pages/overview.ts";
import { shortId, valueText } from "../numbers.ts";
import { href } from "../route.ts";
import { Text } from "../text.tsx";
import { Sparkline } from "./sparkline.tsx";
import { Delta, Word } from "./word.tsx";

/** Changes as a table. */
export function ChangeTable({ lines }: { readonly lines: readonly ChangeLine[] }): JSX.Element {
  return (
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
              now
            </th>
            <th scope="col">since</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <ChangeRow key={line.key} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ChangeRow({ line }: { line: ChangeLine }): JSX.Element {
  return (
    <tr>
      <td>
        <Word of={line.word} />
        {line.triage !== null && (
          <div class="quiet">
            <Text of={line.triage} short={40} />
          </div>
        )}
      </td>
      <td>
        <a href={href("series", line.key)}>
          <Text of={line.benchmark} short={160} />
        </a>
        <div class="quiet">
          <Text of={line.metric} short={80} />
        </div>
      </td>
      <td class="number">
        <Delta of={line.delta} low={line.deltaLow} high={line.deltaHigh} />
      </td>
      <td class="spare">
        <Sparkline of={line.spark} />
      </td>
      <td class="number spare">
        <Text of={valueText(line.spark.at(-1) ?? Number.NaN, line.unit)} short={24} />
      </td>
      <td>{line.since !== null && <Since of={line.since} />}</td>
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
