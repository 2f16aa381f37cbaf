import type { Generator } from "./generator.ts";
import { generatorOption as option, textOf } from "./generator.ts";

/** One fixed workload. */
export const singleton: Generator = Object.freeze<Generator>({
  kind: "generator",
  name: "singleton",
  synopsis: "one fixed workload",
  options: [option("value", "text", null, "arguments of the workload")],
  spellings: {},
  needsTree: false,

  async generate(options) {
    const words = textOf(this, options, "value", "input/small.txt");
    return [{ words, title: words, facts: new Map() }];
  },
});
