interface CompatCommand {
  readonly command: string;
  readonly options: readonly string[];
  readonly examples: readonly string[];
  readonly needs?: string;
  readonly refused?: readonly (readonly [spellings: string, reason: string, example: string])[];
}

export const compatPrograms: readonly ["perun", "perfbase"];
export function compatCommands(program: "perun" | "perfbase"): readonly CompatCommand[];
export function compatPage(program: string): string;
export function pageOf(program: string): string;
