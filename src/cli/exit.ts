/** The only place that ends the process. Streams are flushed before; open handles of libraries do not hold us back. */
export function exit(status: number): never {
  process.exit(status);
}
