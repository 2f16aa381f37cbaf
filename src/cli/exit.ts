/** The only call of process.exit: open handles of libraries must not delay it. Streams are flushed before. */
export function exit(status: number): never {
  process.exit(status);
}
