import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tinyFont } from "../../../test/contracts/tiny-font.ts";
import type { Figure } from "../../core/figures/figure.ts";
import { png } from "./png.ts";
import type { FontFile, RenderOptions } from "./renderer.ts";

const fontFile = fileURLToPath(new URL("../../../assets/fonts/DejaVuSans.ttf", import.meta.url));
const paper: RenderOptions = { width: 400, height: 300, color: false, dark: false, unicode: true, fontFile };

describe("characters that the font of PNG pictures lacks", () => {
  const titled: Figure = { title: "日本 é ✓", blocks: [{ kind: "text", text: "本" }] };
  const own: FontFile = { path: fontFile, read: () => readFileSync(fontFile) };
  const drawn = async (fonts: readonly FontFile[]): Promise<{ bytes: Uint8Array; notices: string[] }> => {
    const notices: string[] = [];
    const options = { ...paper, fonts: () => fonts, notice: (text: string) => void notices.push(text) };
    return { bytes: (await png.render(titled, options, new Map())) as Uint8Array, notices };
  };

  it("are drawn with other fonts that have them; those that none has are reported once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "perfkeep-font-"));
    const others = ["日", "本"].map((character): FontFile => {
      const path = join(folder, `${character.codePointAt(0)}.ttf`);
      writeFileSync(path, tinyFont(character));
      return { path, read: () => readFileSync(path) };
    });
    const damaged: FontFile = { path: "/nowhere", read: () => tinyFont("日").subarray(0, 150) };
    const without = await drawn([own, damaged]);
    expect(without.notices).toEqual([expect.stringMatching(/no font of this system has: 日 本; install one/)]);
    const half = await drawn([own, others[0]!]);
    expect(half.notices).toEqual([expect.stringContaining("has: 本;")]);
    const all = await drawn([own, damaged, ...others]);
    expect(all.notices).toEqual([]);
    expect(new Set([without, half, all].map(({ bytes }) => bytes.join())).size).toBe(3);
    rmSync(folder, { recursive: true });
  });
});
