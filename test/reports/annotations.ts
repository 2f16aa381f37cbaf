/** A command of GitHub Actions, as its runner reads it. */
export interface Command {
  readonly name: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly message: string;
}

/**
 * Commands in what a step prints, a line each, as the runner reads them (lines end at CR or LF, `%0A` is a line feed);
 * all other lines are not answered.
 */
export function readCommands(text: string): Command[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => {
    const [, name, properties = "", message = ""] = /^\s*::([A-Za-z-]+)(?: (.*?))?::(.*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = properties
      .split(",")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), unescaped(pair.slice(pair.indexOf("=") + 1))] as const);
    return [{ name, properties: new Map(pairs), message: unescaped(message) }];
  });
}

function unescaped(text: string): string {
  const signs: Readonly<Record<string, string>> = { "0D": "\r", "0A": "\n", "3A": ":", "2C": ",", "25": "%" };
  return text.replaceAll(/%(0D|0A|3A|2C|25)/g, (_, code: string) => signs[code] ?? "");
}
