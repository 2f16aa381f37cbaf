/** A command with its options: `scripts/compat-commands.mjs` says what they are. */
export interface CompatCommand {
  readonly command: string;
  readonly options: readonly string[];
  readonly examples: readonly string[];
  readonly needs?: string;
  readonly refused?: readonly (readonly [spellings: string, reason: string, example: string])[];
}

export const perun: readonly CompatCommand[];
