import { Failure } from "../../core/errors.ts";
import { PairTable } from "../../core/pair-table.ts";
import { type CallTree, columnsOf } from "./call-tree.ts";

/** Each stack has a path of its own as long as it is, so a deep one of many frames that have amounts needs far more places than before. */
const mostNodes = 2 ** 24;

/** The stacks from their innermost calls outwards. Fails with `flame-graph-too-large`. */
export function invertedTree({ caller, name, own, words }: CallTree): CallTree {
  const places = new PairTable();
  places.number(0, -1);
  const ends = new Int32Array(own.length);
  for (let node = 1; node < own.length; node++) {
    if (own[node] === 0) continue;
    let place = 0;
    for (let at = node; at > 0; at = caller[at]!) place = places.number(place, name[at]!);
    ends[node] = place;
    if (places.size > mostNodes) throw new Failure("flame-graph-too-large", { frames: mostNodes });
  }
  const inverted = new Float64Array(places.size);
  for (let node = 1; node < own.length; node++) inverted[ends[node]!]! += own[node]!;
  return { words, ...columnsOf(places), own: inverted };
}
