import type { FlameBlock } from "../../../core/figure.ts";
import { enhanced, quoted } from "../../../core/gnuplot-text.ts";
import { flameColors } from "./flame-colors.ts";
import { shownFrames } from "./flame-shown.ts";
import { graphNotes, readName, summaryText } from "./flame-words.ts";

/** What the widths of letters are guessed for. */
const pixels = 1000;
const letter = 8;

/** Settings, data and command for a flame graph: boxes, and the names that fit into them. `name`: of its data. */
export function flameScript(block: FlameBlock, name: string): string[] {
  const { graph, grows } = block;
  const { names, start, total, depth } = graph;
  const { frames, rows, notes } = shownFrames(block, pixels);
  const colorOf = flameColors(block);
  const boxes = frames.map((frame) => {
    const [from, to, at] = [start[frame]!, start[frame]! + total[frame]!, depth[frame]!];
    return [(from + to) / 2, at + 0.5, from, to, at, at + 0.96, Number.parseInt(colorOf(frame).slice(1), 16)].join(" ");
  });
  const labels = frames.flatMap((frame) => {
    const letters = Math.floor(((total[frame]! / total[0]!) * pixels) / letter) - 1;
    if (letters < 3) return [];
    const text = [...readName(names[graph.name[frame]!]!)];
    const cut = text.length <= letters ? text.join("") : `${text.slice(0, letters - 1).join("")}…`;
    return [
      `set label ${quoted(enhanced(cut))} at ${start[frame]! + (3 / pixels) * total[0]!}, ${depth[frame]! + 0.5} left front`,
    ];
  });
  const below = [summaryText(graph), ...notes, ...graphNotes(graph)].join("; ");
  return [
    "unset key",
    "unset tics",
    "unset border",
    `set xrange [0:${total[0]}]`,
    `set yrange ${grows === "up" ? `[0:${rows}]` : `[${rows}:0]`}`,
    `set xlabel ${quoted(enhanced(below))}`,
    ...labels,
    `${name} << EOD`,
    ...boxes,
    "EOD",
    `plot ${name} using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder linecolor rgb variable notitle`,
  ];
}
