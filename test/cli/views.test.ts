import { copyFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "vitest";
import { follow } from "./followed-document.ts";

const samples = resolve("test/samples/views");

test("docs/views.md does what it shows", () => {
  follow("docs/views.md", {
    prepare(folder) {
      for (const name of readdirSync(samples)) copyFileSync(join(samples, name), join(folder, name));
    },
  });
});
