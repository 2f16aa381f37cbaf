// Checks the layer rules of .dependency-cruiser.mjs. A check without modules fails.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { cruise } from "dependency-cruiser";
import rules from "../.dependency-cruiser.mjs";

/** The violations below `directory`/src as `{ rule, from, to }`, and the number of checked modules. */
async function check(directory) {
  process.chdir(directory);
  if (!existsSync("src")) return { modules: 0, violations: [] };
  const { forbidden, options } = rules;
  const folders = ["src", "web"].filter((folder) => existsSync(folder));
  const { output } = await cruise(
    folders,
    { ...options, ruleSet: { forbidden }, validate: true },
    options.enhancedResolveOptions,
  );
  const modules = output.modules.filter((module) => /^(src|web)\/.*[.]tsx?$/.test(module.source)).length;
  return {
    modules,
    violations: output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}

function reasons(name) {
  return rules.forbidden.find((rule) => rule.name === name).comment;
}

const { modules, violations } = await check(resolve(process.argv[2] ?? "."));
for (const { rule, from, to } of violations) console.log(`${rule}: ${from} -> ${to}\n    ${reasons(rule)}`);
console.log(`${modules} modules, ${violations.length} violations`);
process.exit(modules > 0 && violations.length === 0 ? 0 : 1);
