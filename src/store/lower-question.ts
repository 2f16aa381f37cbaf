import type { Query } from "../query/query.ts";
import type { StoredExperiment } from "./catalogue.ts";
import { gathered, lowerInOnePlace, type Knowledge, type Statement } from "./query-sql.ts";
import { splitQuestion } from "./split-question.ts";

/** One statement that answers `query`. */
export function lower(query: Query, stored: StoredExperiment, knowledge: Knowledge): Statement {
  return splitQuestion(query, stored, knowledge) ?? gathered(lowerInOnePlace(query, stored, knowledge), stored);
}
