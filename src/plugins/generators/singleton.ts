import type { Generator } from "./generator.ts";
import { generatorOption as option, textOf } from "./generator.ts";

/** One workload, as it stands. */
export const singleton: Generator = Object.freeze<Generator>({
  kind: "generator",
  name: "singleton",
  synopsis: "one workload, as it stands",
  options: [option("value", "text", null, "the words of the workload")],
  spellings: {},
  needsTree: false,

  async generate(options) {
    const words = textOf(this, options, "value", "input/small.txt");
    return [{ words, title: words, facts: new Map() }];
  },
});
