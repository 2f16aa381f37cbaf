// The layer rules for npm packages, Node's modules and tests.

/** The only file that may import each npm package. */
const homes = {
  "@duckdb/node-bindings": "src/plugins/engines/duckdb-bindings.ts",
  "@modelcontextprotocol/sdk": "src/cli/verbs/report/mcp.ts",
  "@resvg/resvg-js": "src/plugins/renderers/png.ts",
  "apache-arrow": "src/formats/columnar/arrow.ts",
  "cli-progress": "src/cli/progress.ts",
  commander: "src/cli/parse.ts",
  echarts: "src/plugins/renderers/drawing/echarts.ts",
  fzstd: "src/formats/bytes/zstd.ts",
  re2js: "src/formats/text/pattern.ts",
  postgres: "src/plugins/engines/postgres-client.ts",
  saxes: "src/formats/text/xml.ts",
  "tar-stream": "src/store/dump/dump-archive.ts",
  yaml: "src/formats/text/yaml.ts",
};

/** Pure files that may hash and compress, because they name, store and unpack objects. */
const hashing = "^src/formats/(store/(object|pack)|columnar/page-compression|stacks/perfetto/perfetto)[.]ts$";

const oneHome =
  "Each npm package is imported by one file, listed in scripts/package-rules.mjs, where it can be replaced.";
const pureCode =
  "Pure code must also run in a browser; only formats/store/{object,pack}.ts may hash (crypto) and compress (zlib), " +
  "and formats/columnar/page-compression.ts and formats/stacks/perfetto/perfetto.ts decompress (zlib).";

/** `never` creates a rule from a name, the two sides of an import and a comment. */
export function packageRules({ never, pureKinds }) {
  const pure = `^src/(core|math|query|formats|plugins/(${pureKinds.join("|")}|views|importers|readers))/`;
  const known = Object.keys(homes).map((name) => `(^|/)node_modules/${name}/`);
  return [
    never("no-node-in-pure-code", { path: pure, pathNot: [hashing] }, { dependencyTypes: ["core"] }, pureCode),
    never(
      "no-node-in-pure-code",
      { path: hashing },
      { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|zlib)$" },
      pureCode,
    ),
    never(
      "commands-have-no-node",
      { path: "^src/commands/" },
      { dependencyTypes: ["core"] },
      "Commands have effects only through the workspace, so tests can run them in a fake one.",
    ),
    ...Object.entries(homes).map(([name, home]) =>
      never(
        "one-home-per-dependency",
        { path: "^src/", pathNot: [`^${home}$`] },
        { path: `(^|/)node_modules/${name}/` },
        oneHome,
      ),
    ),
    never("one-home-per-dependency", { path: "^src/" }, { path: "(^|/)node_modules/", pathNot: known }, oneHome),
    never(
      "one-home-per-dependency",
      { path: "^web/" },
      { path: "(^|/)node_modules/", pathNot: "(^|/)node_modules/preact/" },
      oneHome,
    ),
    never(
      "source-knows-no-tests",
      { path: "^(src|web)/" },
      { path: "^(test|bench|scripts)/|[.]test[.]ts$" },
      "Product code does not import tests.",
    ),
    never(
      "every-import-resolves",
      { path: "^(src|web)/" },
      { couldNotResolve: true },
      "An unresolved import hides the violations after it.",
    ),
  ];
}
