/* Light or dark: what the system says, until somebody chooses. */

const choices = ["system", "light", "dark"] as const;

export type ThemeChoice = (typeof choices)[number];

const key = "perfkeep-theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");
const told = new Set<(dark: boolean) => void>();

/** Pages opened from disk may have no storage; the choice is then good for this page. */
function stored(): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

let choice: ThemeChoice = choices.find((each) => each === stored()) ?? "system";

export function themeChoice(): ThemeChoice {
  return choice;
}

export function isDark(): boolean {
  return choice === "system" ? system.matches : choice === "dark";
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = isDark() ? "dark" : "light";
  for (const tell of told) tell(isDark());
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  try {
    window.localStorage.setItem(key, next);
  } catch {
    // Without storage the choice is good for this page.
  }
  applyTheme();
}

/** Calls back whenever it becomes light or dark; the answer ends that. */
export function onTheme(tell: (dark: boolean) => void): () => void {
  told.add(tell);
  return () => told.delete(tell);
}

system.addEventListener("change", applyTheme);
