// Caches of computed results: an answer cache on disk, caches of series and blocks on top of it, and section files.
// For commands and the workspace, to skip repeated computation.
// Never holds data that cannot be recomputed, and never makes a command fail.

export { AnswerCache, answerKey, digestKey } from "./answer-cache.ts";
export { type BlockBuilder, BlockCache, SeriesCache } from "./incremental-cache.ts";
export { SectionFile, trimFolder, writeSections } from "./section-file.ts";
