import { type Dirent, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Path of a file under `assets/`, searched upwards from this module: next to the bundle's folder, or above the sources.
 */
export function assetPath(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const path = join(folder, "assets", name);
    if (existsSync(path) || folder === dirname(folder)) return path;
    folder = dirname(folder);
  }
}

/** The folder in which this package is installed. */
export function packageFolder(): string {
  return dirname(assetPath("").replace(/[/]$/, ""));
}

/** A font file. */
interface KnownFont {
  readonly path: string;
  read(): Uint8Array;
}

/** Folders of fonts on Linux, macOS and Windows; `~` is the home of the user. */
const fontFolders = [
  "/usr/share/fonts",
  "/usr/local/share/fonts",
  "~/.local/share/fonts",
  "~/.fonts",
  "/System/Library/Fonts",
  "/Library/Fonts",
  "~/Library/Fonts",
  "C:/Windows/Fonts",
];

/** Names of fonts that have the characters of Chinese, Japanese and Korean: they are searched first. */
const manyCharacters = /cjk|unifont|wqy|arphic|droid.*fallback|gothic|mincho|hei|song|simsun|malgun|nanum|unicode/i;

/** The deepest folder that is searched below those of fonts. */
const deepestFolder = 4;

/**
 * The font of this package, then those of the system: first those with many characters, in the order of their paths.
 * Skips unreadable folders.
 */
export function knownFonts(home: string | undefined): KnownFont[] {
  const paths = fontFolders.flatMap((folder) => {
    if (!folder.startsWith("~")) return fontsBelow(folder, deepestFolder);
    return home === undefined || home === "" ? [] : fontsBelow(join(home, folder.slice(2)), deepestFolder);
  });
  const [many, few] = [true, false].map((wanted) => paths.filter((path) => manyCharacters.test(path) === wanted));
  const all = [assetPath("fonts/DejaVuSans.ttf"), ...many!.sort(), ...few!.sort()];
  return all.map((path) => ({ path, read: () => readFileSync(path) }));
}

function fontsBelow(folder: string, depth: number): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth === 0 ? [] : fontsBelow(path, depth - 1);
    return /[.](?:ttf|otf|ttc|otc)$/i.test(entry.name) ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
