export function compatPage(program: string): string;
export function pageOf(program: string): string;
