/** What is told of an event; the others pass by. */
interface Event {
  readonly package: string;
  readonly output: string;
}

/**
 * The text that `go test -json` wraps into events (test2json of Go): the output of each package as a whole, since
 * packages are tested side by side. Lines that are no events stay in front of it; a text without events is itself.
 */
export function goTestText(lines: readonly string[]): string {
  if (!lines.some((line) => eventIn(line) !== undefined)) return lines.join("\n");
  const outputs = new Map<string, string[]>([["", []]]);
  for (const line of lines) {
    const event = eventIn(line);
    const name = event?.package ?? "";
    const output = event?.output ?? `${line}\n`;
    const known = outputs.get(name);
    if (known === undefined) outputs.set(name, [output]);
    else known.push(output);
  }
  return [...outputs.values()].map((parts) => parts.join("")).join("\n");
}

function eventIn(line: string): Event | undefined {
  if (!line.startsWith("{") || !line.includes('"Action":"output"')) return undefined;
  const { Package: name, Output: output } = membersOf(line);
  return typeof output === "string" ? { package: typeof name === "string" ? name : "", output } : undefined;
}

function membersOf(line: string): { readonly Package?: unknown; readonly Output?: unknown } {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}
