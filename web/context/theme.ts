/* The colour theme: that of the system unless the user selects one. */

const choices = ["system", "light", "dark"] as const;

export type ThemeChoice = (typeof choices)[number];

const key = "perfkeep-theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<(dark: boolean) => void>();

/** Pages opened from disk may have no storage; the choice then lasts until the page is closed. */
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
  for (const listener of listeners) listener(isDark());
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  try {
    window.localStorage.setItem(key, next);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  applyTheme();
}

/** Calls the listener when the theme changes. Returns a function that unsubscribes. */
export function onTheme(listener: (dark: boolean) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

system.addEventListener("change", applyTheme);
