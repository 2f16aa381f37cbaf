/**
 * A file that a document says to make: a fenced block whose info string names it behind the language, as in ```sh
 * bench.sh
 */
export interface ShownFile {
  readonly kind: "file";
  readonly path: string;
  readonly content: string;
}

/** A command of a ```console block, and what is shown below it; nothing shown is nothing promised. */
export interface ShownCommand {
  readonly kind: "command";
  readonly line: number;
  readonly command: string;
  readonly shown: string;
}

/** What a Markdown document says to do, in order. Lines of a command that go on begin with `> `. */
export function stepsIn(markdown: string): (ShownFile | ShownCommand)[] {
  const steps: (ShownFile | ShownCommand)[] = [];
  for (const { index, 1: language, 2: path, 3: content = "" } of markdown.matchAll(
    /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm,
  )) {
    const line = markdown.slice(0, index).split("\n").length;
    if (language === "console") steps.push(...commandsIn(content, line));
    else if (path !== undefined) steps.push({ kind: "file", path, content });
  }
  return steps;
}

function commandsIn(content: string, line: number): ShownCommand[] {
  return content
    .split(/^(?=\$ )/m)
    .filter((part) => part.startsWith("$ "))
    .map((part) => {
      const [, command = "", shown = ""] = /^\$ (.*\n(?:> .*\n)*)([\s\S]*)$/.exec(part) ?? [];
      return { kind: "command", line, command: command.replaceAll(/^> /gm, ""), shown };
    });
}

/** Whether a text is what is shown: `…` stands for anything within a line, and alone in a line for any lines. */
export function isAsShown(text: string, shown: string): boolean {
  const escaped = shown
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/^…\n/gm, "(?:.*\n)*")
    .replaceAll("…", ".*");
  return new RegExp(`^${escaped}$`).test(text.replaceAll(/[ \t\r]+$/gm, ""));
}
