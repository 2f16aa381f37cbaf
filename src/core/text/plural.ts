/** A number with its noun: `1 run`, `2 runs`. `many`: an irregular plural. */
export function counted(count: number, noun: string, many: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
