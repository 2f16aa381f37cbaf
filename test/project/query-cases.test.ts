import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { convert } from "../../src/commands/experiments/convert-description.ts";
import { expectSameText } from "../contracts/same-text.ts";
import { CaseScene } from "../servers/case-scene.ts";
import { onEachDialect } from "../servers/databases.ts";

const cases = fileURLToPath(new URL("../cases", import.meta.url));
const names = readdirSync(cases).filter((name) => existsSync(join(cases, name, "case.json")));
const filesIn = (folder: string): string[] => readdirSync(join(cases, folder));
const textOf = (file: string): string => readFileSync(join(cases, file), "utf8");

onEachDialect("cases", (makePlace) => {
  describe.each(names)("%s", (name) => {
    const queries = filesIn(`${name}/queries`);
    const expected = new Map(filesIn(`${name}/expected`).map((file) => [file, textOf(`${name}/expected/${file}`)]));
    const answered = new Set<string>();
    let scene: CaseScene;

    beforeAll(async () => {
      scene = new CaseScene(join(cases, name), await makePlace());
      await scene.begin();
    });
    afterAll(() => scene.remove());

    const check = async (query: string): Promise<void> => {
      for (const [file, text] of await scene.answers(query)) {
        answered.add(file);
        expectSameText(text, expected.get(file) ?? `nothing is expected in ${file}`);
      }
    };

    it.each(queries)("%s answers what was calculated", (query) => check(join("queries", query)));

    it.each(queries)("%s answers the same in the other spelling", async (query) => {
      const converted = convert(scene.workspace, { file: join("queries", query) });
      writeFileSync(join(scene.folder, query), converted);
      expect(converted).not.toBe(textOf(`${name}/queries/${query}`));
      await check(query);
    });

    it("nothing that is expected was left out", () =>
      expect([...expected.keys()].filter((file) => !answered.has(file))).toEqual([]));
  });
});
