// The layers of the house. Imports point down only; each rule says why. `import type` counts as an import.
//
//   cli                                          words to and from people
//   commands                                     verbs
//   workspace                                    composition: the world, opened once
//   store      plugins: vcs collectors engines   effects
//   query      plugins: the pure kinds           pure work
//   formats    math                              bytes, numbers
//   core                                         nouns

import { roomsOfFormats } from "./scripts/format-rooms.mjs";

/** The one file that knows each npm package; everything else sees what that file makes of it. */
const homes = {
  "@duckdb/node-bindings": "src/plugins/engines/duckdb-bindings.ts",
  "@resvg/resvg-js": "src/plugins/renderers/png.ts",
  "apache-arrow": "src/formats/columnar/arrow.ts",
  "cli-progress": "src/cli/progress.ts",
  commander: "src/cli/parse.ts",
  echarts: "src/plugins/renderers/drawing/echarts.ts",
  fzstd: "src/formats/columnar/page-compression.ts",
  re2js: "src/formats/text/pattern.ts",
  postgres: "src/plugins/engines/postgres-client.ts",
  saxes: "src/formats/text/xml.ts",
  "tar-stream": "src/store/dump/dump-archive.ts",
  yaml: "src/formats/text/yaml.ts",
};

const contract =
  "^src/plugins/(vcs/vcs|engines/engine|collectors/collector|generators/generator|importers/(report-)?importer|readers/reader|operators/operator|postprocessors/postprocessor|checkers/checker|detectors/detector|views/view|renderers/(drawing/block-table|renderer))[.]ts$";
const pluginDoor = "^src/plugins/plugin[.]ts$";
/** How a Figure becomes marks on a plane, whatever the medium: scales, ticks, palette. */
const sharedByRenderers = "^src/plugins/renderers/drawing/";
/** How calls of functions are watched, for the collectors whose rows are calls. */
const sharedByCollectors = "^src/plugins/collectors/calls/";
/** Which fitted models are compared, and where, for the checkers of models. */
const sharedByCheckers = "^src/plugins/checkers/models/";
/** What systems of versions need of the machine: starting a program, removing a tree. */
const sharedByImporters = "^src/plugins/importers/(report-(importer|events)|table-events)[.]ts$";
const sharedByVcs = "^src/plugins/vcs/machine/";
const pureKinds = "generators|operators|postprocessors|checkers|detectors|views|renderers";
/** Tables and stacks of profiles, and what is made of them: pure, and what views draw. */
const readByViews = "^src/query/(profile|flame)/";

/** From `from`, only files matching one of `allowed` (and the layer's own) may be imported. */
function only(name, from, allowed, comment) {
  return { name, comment, severity: "error", from: { path: from }, to: { path: "^src/", pathNot: [from, ...allowed] } };
}

const layers = [
  {
    name: "core-is-a-leaf",
    comment: "The nouns know nobody: whoever reads core needs to read nothing else.",
    severity: "error",
    from: { path: "^src/core/" },
    to: { pathNot: "^src/core/" },
  },
  {
    name: "math-is-a-leaf",
    comment: "Numerics work on arrays of numbers and can be judged without knowing the product.",
    severity: "error",
    from: { path: "^src/math/" },
    to: { pathNot: "^src/math/" },
  },
  only(
    "formats-know-only-nouns",
    "^src/formats/",
    ["^src/core/"],
    "A codec turns bytes into nouns and back; it needs nothing above.",
  ),
  ...roomsOfFormats(only),
  only(
    "pure-plugins",
    `^src/plugins/(${pureKinds.replace("views|", "")})/`,
    ["^src/core/", "^src/math/", pluginDoor],
    "Generators, operators, postprocessors, checkers, detectors, views and renderers compute a result from their arguments and touch no world.",
  ),
  only(
    "views-read-profiles",
    "^src/plugins/views/",
    ["^src/core/", "^src/math/", readByViews, pluginDoor],
    "A view draws what profiles hold, so it reads the tables and stacks that the queries of profiles make, and touches no world.",
  ),
  only(
    "importers-read-formats",
    "^src/plugins/(importers|readers)/",
    ["^src/core/", "^src/formats/", pluginDoor],
    "An importer or reader reads bytes it is handed; where they come from is not its business.",
  ),
  only(
    "effect-plugins",
    "^src/plugins/(vcs|collectors|engines)/",
    ["^src/core/", "^src/formats/", pluginDoor],
    "A plug-in that touches the world can be exchanged only while it leans on nouns and formats alone.",
  ),
  only(
    "query-is-pure",
    "^src/query/",
    ["^src/core/", "^src/math/", "^src/plugins/operators/operator[.]ts$"],
    "A query is planned and judged without a database, so it is testable against a reference.",
  ),
  only(
    "store-below-workspace",
    "^src/store/",
    ["^src/core/", "^src/formats/", "^src/query/", "^src/plugins/(engines/engine|importers/importer)[.]ts$"],
    "The store keeps objects and indexes; it does not know who asks. It lowers queries to SQL, so it reads their nouns.",
  ),
  only(
    "workspace-composes",
    "^src/workspace/",
    ["^src/(core|math|formats|query|store)/", pluginDoor, "^src/plugins/builtin[.]ts$", contract],
    "The workspace opens the world and puts the pieces together; verbs stand above it.",
  ),
  only(
    "commands-orchestrate",
    "^src/commands/",
    ["^src/(core|math|formats|query|store|workspace)/", pluginDoor, contract],
    "A verb asks the workspace for a plug-in by name and never imports an implementation.",
  ),
  only(
    "cli-is-thin",
    "^src/cli/",
    ["^src/(core|workspace|commands)/", "^src/formats/text/format-string[.]ts$"],
    "The command line translates words; whatever it could compute belongs to a verb, where the library has it too.",
  ),
  {
    name: "pages-show-what-they-are-told",
    comment:
      "The app in the browser knows nouns, how numbers and queries are written, and the drawing of pictures; what it shows it asks for.",
    severity: "error",
    from: { path: "^web/", pathNot: "^web/charts[.]ts$" },
    to: {
      path: "^src/",
      pathNot: [
        "^src/core/",
        "^src/math/plotting/scale[.]ts$",
        "^src/formats/descriptions/query-text-print[.]ts$",
        `${sharedByRenderers}flame-(colors|words)[.]ts$`,
      ],
    },
  },
  {
    name: "pages-show-what-they-are-told",
    comment:
      "The app in the browser knows nouns, how numbers and queries are written, and the drawing of pictures; what it shows it asks for.",
    severity: "error",
    from: { path: "^web/charts[.]ts$" },
    to: { path: "^src/", pathNot: ["^src/core/", sharedByRenderers] },
  },
  {
    name: "nothing-imports-pages",
    comment: "The program hands the built app on; it does not run it.",
    severity: "error",
    from: { path: "^src/" },
    to: { path: "^web/" },
  },
  {
    name: "compat-is-a-front-end",
    comment: "The ancestors' commands are translations onto our verbs: only the choice of the front end knows them.",
    severity: "error",
    from: { path: "^src/", pathNot: ["^src/cli/compat/", "^src/cli/front-end[.]ts$"] },
    to: { path: "^src/cli/compat/" },
  },
  {
    name: "nothing-imports-cli",
    comment: "The library must work without a terminal.",
    severity: "error",
    from: { path: "^src/", pathNot: "^src/cli/" },
    to: { path: "^src/cli/" },
  },
];

const meetingPoints = [
  {
    name: "plugins-are-strangers",
    comment:
      "A plug-in never imports another one; shared needs go to math, core or the contract. Files named after a plug-in are its parts.",
    severity: "error",
    from: { path: "^src/plugins/([^/]+)/([^/.-]+)" },
    to: {
      path: "^src/plugins/",
      pathNot: [
        pluginDoor,
        contract,
        "^src/plugins/$1/$2[-./]",
        sharedByCheckers,
        sharedByCollectors,
        sharedByImporters,
        sharedByRenderers,
        sharedByVcs,
      ],
    },
  },
  {
    name: "one-list-of-builtins",
    comment: "Implementations meet in one list, so that adding one is one line and nobody depends on a particular one.",
    severity: "error",
    from: { path: "^src/", pathNot: ["^src/plugins/"] },
    to: { path: "^src/plugins/[^/]+/", pathNot: [contract] },
  },
  {
    name: "library-entry-is-last",
    comment:
      "src/index.ts, src/project.ts and src/plugin.ts are for users of the library; code inside imports from where a thing is defined.",
    severity: "error",
    from: { path: "^src/", pathNot: "^src/index[.]ts$" },
    to: { path: "^src/(index|plugin|project)[.]ts$" },
  },
];

const onePlace =
  "Each npm package is known to one file, its home in .dependency-cruiser.mjs, so that it can be replaced there.";
const pureCode =
  "Pure code runs anywhere, also in a browser; only formats/store/object.ts may hash (crypto) and pack (zlib), which name and hold objects, and formats/columnar/page-packing.ts unpack (zlib).";

const outside = [
  {
    name: "no-node-in-pure-code",
    comment: pureCode,
    severity: "error",
    from: {
      path: `^src/(core|math|query|formats|plugins/(${pureKinds}|importers|readers))/`,
      pathNot: ["^src/formats/(store/object|columnar/page-packing)[.]ts$"],
    },
    to: { dependencyTypes: ["core"] },
  },
  {
    name: "no-node-in-pure-code",
    comment: pureCode,
    severity: "error",
    from: { path: "^src/formats/(store/object|columnar/page-packing)[.]ts$" },
    to: { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|zlib)$" },
  },
  {
    name: "commands-have-no-node",
    comment: "Verbs touch the world only through the workspace, so they can be tested in a pretended one.",
    severity: "error",
    from: { path: "^src/commands/" },
    to: { dependencyTypes: ["core"] },
  },
  ...Object.entries(homes).map(([name, home]) => ({
    name: "one-home-per-dependency",
    comment: onePlace,
    severity: "error",
    from: { path: "^src/", pathNot: [`^${home}$`] },
    to: { path: `(^|/)node_modules/${name}/` },
  })),
  {
    name: "one-home-per-dependency",
    comment: onePlace,
    severity: "error",
    from: { path: "^src/" },
    to: { path: "(^|/)node_modules/", pathNot: Object.keys(homes).map((name) => `(^|/)node_modules/${name}/`) },
  },
  {
    name: "one-home-per-dependency",
    comment: onePlace,
    severity: "error",
    from: { path: "^web/" },
    to: { path: "(^|/)node_modules/", pathNot: "(^|/)node_modules/preact/" },
  },
  {
    name: "source-knows-no-tests",
    comment: "What ships does not import what proves it.",
    severity: "error",
    from: { path: "^(src|web)/" },
    to: { path: "^(test|bench|scripts)/|[.]test[.]ts$" },
  },
  {
    name: "every-import-resolves",
    comment: "An import that leads nowhere hides whatever it would have broken.",
    severity: "error",
    from: { path: "^(src|web)/" },
    to: { couldNotResolve: true },
  },
];

const shape = [
  {
    name: "no-cycles",
    comment: "Two files that need each other are one file, or hide a third.",
    severity: "error",
    from: { path: "^(src|web)/" },
    to: { circular: true },
  },
  {
    name: "no-drawers",
    comment: "A drawer collects what has no name yet; find the name.",
    severity: "error",
    from: { path: "^(src|web)/" },
    to: { path: "/(utils?|helpers?|common|misc|shared)[./-]", pathNot: "node_modules" },
  },
];

export default {
  forbidden: [...layers, ...meetingPoints, ...outside, ...shape],
  options: {
    exclude: { path: "^(src|web)/.*[.]test[.]ts$" },
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
