/** A run by its number or its label. */
export type RunName = number | string;

/** Digits are the number of a run, anything else is a label. */
export function parseRunName(text: string): RunName {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
