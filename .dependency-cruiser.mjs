// The layer rules. Imports point down only; each rule says why. `import type` counts as an import.
//
//   cli                                          words to and from people
//   commands                                     what each verb does
//   workspace                                    opens the world, puts the pieces together
//   store      plugins: vcs collectors engines   effects
//   query      plugins: the pure kinds           pure work
//   formats    math                              bytes, numbers
//   core                                         nouns
//
// docs/architecture.svg shows the rooms of each layer as they import each other.

import { roomsOfFormats } from "./scripts/format-rooms.mjs";
import { packageRules } from "./scripts/package-rules.mjs";

const contracts = [
  "vcs/vcs",
  "engines/engine",
  "collectors/(collector|run-plan)",
  "generators/generator",
  "importers/(report-|log-)?importer",
  "readers/reader",
  "postprocessors/postprocessor",
  "checkers/checker",
  "detectors/detector",
  "views/view",
  "renderers/(drawing/block-table|renderer)",
];
const contract = `^src/plugins/(${contracts.join("|")})[.]ts$`;
/** What every plug-in may import of its layer. */
const pluginBase = "^src/plugins/plugin[.]ts$";
/** Shared by members of a kind: queues of statements, drawing of figures, calls, models, programs that run. */
const shared = {
  engines: "^src/plugins/engines/statement-queue[.]ts$",
  renderers: "^src/plugins/renderers/drawing/",
  collectors: "^src/plugins/collectors/calls/",
  checkers: "^src/plugins/checkers/models/",
  importers: "^src/plugins/importers/((report|log)-importer|report-events|table-(columns|events|objects))[.]ts$",
  vcs: "^src/plugins/vcs/(machine|git-files)/",
};
/** Folders by which the members of a kind are sorted. */
const themes = "(?:(?:javascript|python|native|managed|tools|interchange)/)?";
const pureKinds = ["generators", "postprocessors", "checkers", "detectors", "renderers"];

/** `from` may import itself and files that match one of `allowed`. */
function only(name, from, allowed, comment) {
  return { name, comment, severity: "error", from: { path: from }, to: { path: "^src/", pathNot: [from, ...allowed] } };
}

/** Nothing that matches `from` may import what matches `to`. */
function never(name, from, to, comment) {
  return { name, comment, severity: "error", from, to };
}

const pagesAsk =
  "The app in the browser knows nouns, scales, how queries are " +
  "written, and the drawing of pictures; it asks the server for data.";

const layers = [
  never("core-is-a-leaf", { path: "^src/core/" }, { pathNot: "^src/core/" }, "A reader of core needs nothing else."),
  never(
    "math-is-a-leaf",
    { path: "^src/math/" },
    { pathNot: "^src/math/" },
    "Numerics work on arrays of numbers and can be judged without knowing the product.",
  ),
  only("formats-know-only-nouns", "^src/formats/", ["^src/core/"], "A codec turns bytes into nouns and back."),
  ...roomsOfFormats(only),
  only(
    "pure-plugins",
    `^src/plugins/(${pureKinds.join("|")})/`,
    ["^src/core/", "^src/math/", pluginBase],
    "Plug-ins of the pure kinds compute a result from their arguments and have no effects.",
  ),
  only(
    "views-read-profiles",
    "^src/plugins/views/",
    ["^src/core/", "^src/math/", "^src/query/(profile|flame)/", pluginBase],
    "A view draws profiles, so it reads the tables and stacks that queries of profiles return; it has no effects.",
  ),
  only(
    "importers-read-formats",
    "^src/plugins/(importers|readers)/",
    ["^src/core/", "^src/formats/", pluginBase],
    "An importer or reader gets bytes as arguments; where they come from is not its business.",
  ),
  only(
    "effect-plugins",
    "^src/plugins/(vcs|collectors|engines)/",
    ["^src/core/", "^src/formats/", pluginBase],
    "A plug-in with effects stays replaceable only while it imports nothing but nouns and formats.",
  ),
  only(
    "query-is-pure",
    "^src/query/(?!profile/)",
    ["^src/core/", "^src/math/", "^src/query/profile/"],
    "A query is planned and judged without a database.",
  ),
  only(
    "query-of-profiles-is-pure",
    "^src/query/profile/",
    ["^src/core/", "^src/math/", "^src/query/", "^src/formats/text/"],
    "Rows of profiles are selected in memory, with the regular expressions that all conditions have.",
  ),
  only(
    "store-below-workspace",
    "^src/store/",
    ["^src/core/", "^src/formats/", "^src/query/", "^src/plugins/(engines/engine|importers/importer)[.]ts$"],
    "The store keeps objects and indexes and does not know its " +
      "callers. It compiles queries to SQL, so it reads their nouns.",
  ),
  only(
    "workspace-composes",
    "^src/workspace/",
    ["^src/(core|math|formats|query|store)/", pluginBase, "^src/plugins/builtin[.]ts$", contract],
    "The workspace opens the world and puts the pieces together; verbs stand above it.",
  ),
  only(
    "commands-orchestrate",
    "^src/commands/",
    ["^src/(core|math|formats|query|store|workspace)/", pluginBase, contract],
    "A verb asks the workspace for a plug-in by name and never imports an implementation.",
  ),
  only(
    "cli-is-thin",
    "^src/cli/",
    ["^src/(core|workspace|commands)/", "^src/formats/text/index[.]ts$"],
    "The command line translates words; what it could compute belongs to a verb, so that the library has it too.",
  ),
  never(
    "pages-ask-for-data",
    { path: "^web/", pathNot: "^web/charts[.]ts$" },
    {
      path: "^src/",
      pathNot: [
        "^src/core/",
        "^src/(math/plotting|formats/descriptions|query/pages)/index[.]ts$",
        `${shared.renderers}flame-(colors|words)[.]ts$`,
      ],
    },
    pagesAsk,
  ),
  never(
    "pages-ask-for-data",
    { path: "^web/charts[.]ts$" },
    { path: "^src/", pathNot: ["^src/core/", shared.renderers] },
    pagesAsk,
  ),
  never(
    "nothing-imports-pages",
    { path: "^src/" },
    { path: "^web/" },
    "The program serves the built app; it does not run it.",
  ),
  never(
    "compat-is-a-front-end",
    { path: "^src/", pathNot: ["^src/cli/compat/", "^src/cli/front-end[.]ts$"] },
    { path: "^src/cli/compat/" },
    "The ancestors' commands are translations onto our verbs: only the choice of the front end knows them.",
  ),
  never(
    "nothing-imports-cli",
    { path: "^src/", pathNot: "^src/cli/" },
    { path: "^src/cli/" },
    "The library must work without a terminal.",
  ),
];

const rooms = "(?:core|math|formats|query|store|workspace|commands)/[^/]+|cli/print";
const throughTheFace =
  "A room is imported through its face, index.ts, which lists what it offers. " +
  "Only a dynamic import, which loads one file on first use, goes past it.";

const faces = [
  never(
    "rooms-have-faces",
    { path: `^src/(${rooms})/` },
    { path: `^src/(?:${rooms})/`, pathNot: ["^src/$1/", `^src/(?:${rooms})/index[.]ts$`], dynamic: false },
    throughTheFace,
  ),
  never(
    "rooms-have-faces",
    { path: "^(src|web)/", pathNot: `^src/(?:${rooms})/` },
    { path: `^src/(?:${rooms})/`, pathNot: `^src/(?:${rooms})/index[.]ts$`, dynamic: false },
    throughTheFace,
  ),
];

const meetingPoints = [
  never(
    "plugins-are-strangers",
    { path: `^src/plugins/([^/]+)/${themes}([^/.-]+)` },
    {
      path: "^src/plugins/",
      pathNot: [pluginBase, contract, `^src/plugins/$1/${themes}$2[-./]`, ...Object.values(shared)],
    },
    "A plug-in never imports another one; shared code goes to math, " +
      "core or the contract. Files named after a plug-in are its parts.",
  ),
  never(
    "one-list-of-builtins",
    { path: "^src/", pathNot: ["^src/plugins/"] },
    { path: "^src/plugins/[^/]+/", pathNot: [contract] },
    "Implementations meet in one list, so that adding one is one line and nobody depends on a particular one.",
  ),
  never(
    "library-entry-is-last",
    { path: "^src/", pathNot: "^src/index[.]ts$" },
    { path: "^src/(index|plugin|project)[.]ts$" },
    "src/index.ts, src/project.ts and src/plugin.ts are for users of the library; code inside imports from the rooms.",
  ),
];

const shape = [
  never(
    "no-cycles",
    { path: "^(src|web)/" },
    { circular: true },
    "Two files that need each other are one file, or hide a third.",
  ),
  never(
    "no-drawers",
    { path: "^(src|web)/" },
    { path: "/(utils?|helpers?|common|misc|shared)[./-]", pathNot: "node_modules" },
    "A drawer collects what has no name yet; find the name.",
  ),
];

export default {
  forbidden: [...layers, ...faces, ...meetingPoints, ...packageRules({ never, pureKinds }), ...shape],
  options: {
    exclude: { path: "^(src|web)/.*[.]test[.]ts$" },
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
