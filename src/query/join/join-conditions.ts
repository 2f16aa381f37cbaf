import { Failure } from "../../core/failures/index.ts";
import type { Variable } from "../../core/variables/index.ts";
import { readConditions, splitCondition, type Conditions, type ConditionText } from "../plan/index.ts";
import type { JoinKey } from "./join-keys.ts";
import type { JoinNames, Side } from "./join-names.ts";

/**
 * The conditions of each experiment; they select rows before the join. A condition on a key only holds for both. Fails
 * with `join-not-possible` for a condition that combines variables of both by `or`.
 */
export function conditionsBySide(texts: readonly string[], names: JoinNames): [Conditions[], Conditions[]] {
  const sides: [Conditions[], Conditions[]] = [[], []];
  for (const part of texts.map(splitCondition).flatMap(conjuncts))
    for (const side of sidesOf(part, names))
      sides[side].push(readConditions(part, (name) => variableIn(side, name, names)));
  return sides;
}

function conjuncts(text: ConditionText): ConditionText[] {
  return typeof text !== "string" && text.junction === "and" ? text.of.flatMap(conjuncts) : [text];
}

function sidesOf(part: ConditionText, names: JoinNames): readonly Side[] {
  const used = new Set<Side>();
  readConditions(part, (name) => {
    const column = names.find(name);
    if (column.kind === "variable") used.add(column.side);
    return column.kind === "variable" ? column.variable : keyOf(column, names).of[0];
  });
  if (used.size === 0) return [0, 1];
  if (used.size === 1) return [...used];
  throw new Failure("join-not-possible", {
    problem: "a condition combines variables of both experiments by 'or'",
    advice: "give a condition for each experiment; all of them must hold",
  });
}

function variableIn(side: Side, name: string, names: JoinNames): Variable {
  const column = names.find(name);
  return column.kind === "variable" ? column.variable : keyOf(column, names).of[side];
}

function keyOf(column: ReturnType<JoinNames["find"]>, { keys }: JoinNames): JoinKey {
  const key = column.kind === "key" ? keys[column.at] : undefined;
  if (key === undefined) throw new RangeError("the column is no key");
  return key;
}
