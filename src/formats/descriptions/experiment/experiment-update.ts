import {
  accessLevels,
  type AccessChange,
  type ExperimentUpdate,
  type VariableAlteration,
  type VariableChange,
} from "../../../core/experiments/index.ts";
import { nearest } from "../../../core/text/index.ts";
import { type Unit, dataTypes } from "../../../core/values/index.ts";
import { isName } from "../../../core/variables/index.ts";
import { descriptionError, descriptionLines, readWords, type DescriptionLine, type Word } from "../lexical-syntax.ts";
import { readVariable, longestProblem, unitAt } from "./experiment-variable.ts";
import { wordsAsText, readUsers, commentTexts } from "./experiment.ts";

/*
 * [name=] [role=] [type=] [size=] [occurrence=] [default=] [unit=] [valid={…}] [only={…}|only=any] [longest=]
 * [numeric=] [better=]
 *   [forget={synopsis,description}]
 *
 * `none` removes a unit, a length or a direction. A default is `-` for none, or NULL for "may be missing".
 */

type Reader = (line: DescriptionLine, word: Word) => VariableAlteration;

const readers: Readonly<Record<string, Reader>> = {
  name: (line, word) => ({ newName: nameAt(line, word) }),
  role: (line, word) => ({ role: choice(line, word, ["parameter", "result"]) }),
  type: (line, word) => ({ type: choice(line, word, dataTypes) }),
  size: (line, word) => ({ size: sizes[choice(line, word, ["2", "4", "8"])] }),
  occurrence: (line, word) => ({ occurrence: choice(line, word, ["once", "multiple"]) }),
  default: (_, word) => ({ default: defaultOf(word) }),
  unit: (line, word) => ({ unit: unitOrNull(unitAt(line, word)) }),
  valid: (line, word) => ({ valid: { add: listAt(line, word) } }),
  only: (line, word) => ({ valid: !word.list && word.text === "any" ? "any" : { only: listAt(line, word) } }),
  longest: (line, word) => ({ longest: longestAt(line, word) }),
  numeric: (line, word) => ({ numeric: choice(line, word, ["yes", "no"]) === "yes" }),
  better: (line, word) => ({ better: directions[choice(line, word, ["lower", "higher", "none"])] }),
  forget: readForgottenTexts,
};

const directions = { lower: "lower", higher: "higher", none: null } as const;
const sizes = { "2": 2, "4": 4, "8": 8 } as const;

/** Reads the words after `*alter NAME` or `*put NAME`. */
function readAlteration(line: DescriptionLine, words: readonly Word[]): VariableAlteration {
  const seen = new Set<string>();
  let alteration: VariableAlteration = {};
  for (const word of words) {
    const key = word.key ?? "";
    const read = Object.hasOwn(readers, key) ? readers[key] : undefined;
    if (!read) throw unknownWord(line, word);
    const what = key === "only" ? "valid" : key;
    if (seen.has(what)) throw descriptionError(line, word.column, `the ${what} is given twice`);
    seen.add(what);
    alteration = { ...alteration, ...read(line, word) };
  }
  return alteration;
}

function unknownWord(line: DescriptionLine, word: Word): Error {
  const candidates = Object.keys(readers);
  const problem =
    word.key === undefined
      ? `'${word.text.slice(0, 40)}' is not of the form key=value`
      : `unknown word '${word.key.slice(0, 40)}='`;
  const advice = `there are ${candidates.map((each) => `${each}=`).join(" ")}`;
  return descriptionError(line, word.column, problem, { word: word.key ?? word.text, candidates, advice });
}

/** The name of a variable. Fails with `description-error` on an invalid name. */
function nameAt(line: DescriptionLine, word: Word): string {
  if (isName(word.text)) return word.text;
  throw descriptionError(line, word.column, `'${word.text.slice(0, 80)}' is not a valid name`, {
    advice: "names have letters, digits, _ . and -, and do not begin with a digit",
  });
}

function choice<T extends string>(line: DescriptionLine, word: Word, choices: readonly T[]): T {
  const found = choices.find((each) => each === word.text.toLowerCase());
  if (found !== undefined) return found;
  const key = word.key === undefined ? "" : `${word.key} `;
  const problem = `${key}'${word.text.slice(0, 40)}' is none of ${choices.join(", ")}`;
  throw descriptionError(line, word.column, problem, { word: word.text, candidates: choices });
}

/** The unit, or null if it has no factors. */
export function unitOrNull(unit: Unit): Unit | null {
  return unit.factors.length === 0 ? null : unit;
}

function defaultOf({ text, quoted }: Word): NonNullable<VariableAlteration["default"]> {
  if (text === "-" && !quoted) return "none";
  return { value: text === "NULL" && !quoted ? null : text };
}

function listAt(line: DescriptionLine, word: Word): readonly string[] {
  if (word.list && word.list.length > 0) return word.list;
  throw descriptionError(line, word.column, `${word.key} needs a list, as in ${word.key}={read,write}`);
}

function longestAt(line: DescriptionLine, word: Word): number | null {
  if (word.text === "none") return null;
  const problem = longestProblem(word.text, undefined);
  if (problem === undefined) return Number(word.text);
  throw descriptionError(line, word.column, problem, { advice: "give a number, or none" });
}

function readForgottenTexts(line: DescriptionLine, word: Word): VariableAlteration {
  const items = word.list ?? [word.text];
  const fields = items.map((text) => choice(line, { ...word, text }, ["synopsis", "description"]));
  return Object.fromEntries(fields.map((field) => [field, null]));
}

/*
 * The text syntax of an update, modelled on `.exp`: keywords begin with `*`, other lines are the synopsis and
 * description of the item named by the keyword above them.
 */

const keywords = [
  "update",
  "performed_by",
  "organization",
  "project",
  "forget",
  "add",
  "put",
  "alter",
  "rename",
  "drop",
  "grant",
  "revoke",
];
const aboutKeywords = { performed_by: "performedBy", organization: "organization", project: "project" } as const;

interface Draft {
  experiment?: string;
  about: ExperimentUpdate["about"];
  readonly aboutComments: string[];
  readonly changes: { readonly change: VariableChange; readonly comments: string[] }[];
  readonly access: AccessChange[];
  /** Target of comment lines; undefined where they are not allowed. */
  comments: string[] | undefined;
}

/** Reads the text syntax of an update. Fails with `description-error` at file:line:col. */
export function parseExperimentUpdate(text: string, file: string): ExperimentUpdate {
  const draft: Draft = { about: {}, aboutComments: [], changes: [], access: [], comments: undefined };
  const lines = descriptionLines(text, file);
  for (const line of lines) readLine(draft, line);
  if (draft.experiment === undefined)
    throw descriptionError(lines.at(-1) ?? { file, number: 1, text: "" }, 1, "there is no *update NAME");
  const changes = draft.changes.map(({ change, comments }) => withTexts(change, comments));
  return {
    experiment: draft.experiment,
    about: { ...draft.about, ...commentTexts(draft.aboutComments) },
    changes,
    access: draft.access,
  };
}

function withTexts(change: VariableChange, comments: readonly string[]): VariableChange {
  if (change.kind === "add") return { ...change, variable: { ...change.variable, ...commentTexts(comments) } };
  return { ...change, ...commentTexts(comments) };
}

function readLine(draft: Draft, line: DescriptionLine): void {
  const text = line.text.trim();
  if (text === "" || text.startsWith("#")) return;
  if (text.startsWith("*")) readKeyword(draft, line);
  else if (draft.comments) draft.comments.push(text.startsWith("\\") ? text.slice(1) : text);
  else
    throw descriptionError(line, 1, "a comment is not allowed here", {
      advice: "put it below *update, *add, *put or *alter, or start it with #",
    });
}

function readKeyword(draft: Draft, line: DescriptionLine): void {
  const start = line.text.indexOf("*");
  const written = /^\*(\S*)/.exec(line.text.slice(start))?.[1] ?? "";
  const keyword = written.toLowerCase();
  const column = start + 1;
  const words = readWords(line, column + written.length);
  if (keyword === "update") readHead(draft, line, column, words);
  else if (keyword === "grant" || keyword === "revoke") readAccess(draft, keyword, line, column, words);
  else if (keyword === "forget") draft.about = { ...draft.about, ...readForgotten(line, column, words) };
  else if (isAbout(keyword))
    draft.about = { ...draft.about, [aboutKeywords[keyword]]: words.length === 0 ? null : wordsAsText(words) };
  else if (keywords.includes(keyword)) readChange(draft, keyword, line, column, words);
  else throw unknownKeyword(line, column, written);
}

function isAbout(keyword: string): keyword is keyof typeof aboutKeywords {
  return Object.hasOwn(aboutKeywords, keyword);
}

function unknownKeyword(line: DescriptionLine, column: number, keyword: string): Error {
  const near = nearest(keyword.slice(0, 40), keywords).map((name) => `*${name}`);
  const problem = `unknown keyword '*${keyword}'${near.length > 0 ? `, did you mean ${near.join(", ")}?` : ""}`;
  return descriptionError(line, column, problem, {
    advice: `keywords are ${keywords.map((name) => `*${name}`).join(" ")}`,
  });
}

function readHead(draft: Draft, line: DescriptionLine, column: number, words: readonly Word[]): void {
  if (draft.experiment !== undefined)
    throw descriptionError(line, column, `a second *update, after '${draft.experiment}'`);
  draft.experiment = nameAt(line, exactWords(line, column, "update", words, 1)[0]);
  draft.comments = draft.aboutComments;
}

/** Requires exactly `count` words. */
function exactWords(
  line: DescriptionLine,
  column: number,
  keyword: string,
  words: readonly Word[],
  count: number,
): [Word, ...Word[]] {
  const [first, ...rest] = words;
  const extra = words[count];
  if (extra) throw descriptionError(line, extra.column, `'${extra.text}' is one word too many`);
  if (!first || words.length < count)
    throw descriptionError(line, column, `*${keyword} needs ${count === 1 ? "a name" : `${count} names`}`);
  return [first, ...rest];
}

function readAccess(
  draft: Draft,
  action: AccessChange["action"],
  line: DescriptionLine,
  column: number,
  words: readonly Word[],
): void {
  const [level, ...users] = words;
  if (!level || users.length === 0)
    throw descriptionError(line, column, `*${action} takes ${accessLevels.join("|")} and users`);
  const chosen = choice(line, level, accessLevels);
  draft.access.push(...readUsers(users).map((who) => ({ action, level: chosen, who })));
  draft.comments = undefined;
}

function readForgotten(line: DescriptionLine, column: number, words: readonly Word[]): ExperimentUpdate["about"] {
  if (words.length === 0) throw descriptionError(line, column, "*forget takes synopsis, description, or both");
  return Object.fromEntries(words.map((word) => [choice(line, word, ["synopsis", "description"]), null]));
}

function readChange(
  draft: Draft,
  keyword: string,
  line: DescriptionLine,
  column: number,
  words: readonly Word[],
): void {
  const change = changeOf(keyword, line, column, words);
  const comments: string[] = [];
  draft.changes.push({ change, comments });
  draft.comments = change.kind === "drop" ? undefined : comments;
}

function changeOf(keyword: string, line: DescriptionLine, column: number, words: readonly Word[]): VariableChange {
  if (keyword === "drop") return { kind: "drop", name: nameAt(line, exactWords(line, column, keyword, words, 1)[0]) };
  if (keyword === "rename") {
    const [from, to] = exactWords(line, column, keyword, words, 2);
    return { kind: "alter", name: nameAt(line, from), newName: nameAt(line, to ?? from) };
  }
  const [first, ...rest] = words;
  if (!first)
    throw descriptionError(line, column, `*${keyword} needs ${keyword === "add" ? "parameter or result, " : ""}a name`);
  if (keyword === "add")
    return { kind: "add", variable: readVariable(choice(line, first, ["parameter", "result"]), line, column, rest) };
  const alteration: VariableAlteration = readAlteration(line, rest);
  return { kind: keyword === "put" ? "auto" : "alter", name: nameAt(line, first), ...alteration };
}
