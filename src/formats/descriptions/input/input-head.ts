import { isName } from "../../../core/variables/index.ts";
import { descriptionError, readWords, type DescriptionLine } from "../lexical-syntax.ts";
import { LineWords, restOfLine } from "../line-words.ts";
import type { InputDescription } from "./input-description.ts";

/** The properties of the description itself. */
export type InputHead = Partial<Omit<InputDescription, "file" | "locations">>;

export const headKeywords = ["RULES", "INPUT", "EXPERIMENT", "SYNOPSIS", "DESCRIPTION", "DATABASE"];

/** Adds the properties of one line to the head. */
export function readHeadLine(head: InputHead, line: DescriptionLine, keyword: string, column: number): InputHead {
  const added = readLine(line, keyword, column);
  const [key] = Object.keys(added);
  if (key !== undefined && Object.hasOwn(head, key)) throw descriptionError(line, column, `${keyword} is given twice`);
  return { ...head, ...added };
}

function readLine(line: DescriptionLine, keyword: string, column: number): InputHead {
  const from = column - 1 + keyword.length;
  if (keyword === "DATABASE") return { database: readDatabase(line, column, from) };
  const text = restOfLine(line, from);
  if (!text?.trim()) throw descriptionError(line, column, `${keyword} needs a text`);
  switch (keyword) {
    case "RULES":
      return { rules: readRules(line, column, text) };
    case "INPUT":
      return { id: text.trim() };
    case "EXPERIMENT":
      if (!isName(text))
        throw descriptionError(line, column, `'${text.slice(0, 80)}' is not a valid name of an experiment`);
      return { experiment: text };
    case "SYNOPSIS":
      return { synopsis: text };
    default:
      return { description: text };
  }
}

function readRules(line: DescriptionLine, column: number, text: string): InputDescription["rules"] {
  const rules = (["sets", "stream"] as const).find((each) => each === text.toLowerCase());
  if (rules) return rules;
  throw descriptionError(line, column, `rules '${text.slice(0, 80)}' are neither sets nor stream`, {
    word: text,
    candidates: ["sets", "stream"],
  });
}

const databaseWords = ["host", "port", "user", "name"];

function readDatabase(line: DescriptionLine, column: number, from: number): NonNullable<InputDescription["database"]> {
  const words = new LineWords(line, "DATABASE", column, readWords(line, from), databaseWords, []);
  words.bareWords(0);
  const port = words.number("port", 1);
  if (port !== undefined && port > 65_535)
    throw words.error(words.one("port") ?? words, `port '${port}' is above 65535`);
  const text = (key: string): string | undefined => {
    const word = words.one(key);
    return word ? words.filled(word).trim() || undefined : undefined;
  };
  const [host, user, name] = [text("host"), text("user"), text("name")];
  const database = {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(user === undefined ? {} : { user }),
    ...(name === undefined ? {} : { name }),
  };
  if (Object.keys(database).length > 0) return database;
  throw words.error(words, "DATABASE needs host=, port=, user= or name=");
}
