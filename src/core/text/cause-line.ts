const frame = /^\s+at /;
/** Frames of nested causes, which Node indents further. */
const nestedFrame = /^ {5,}at /;
const errorHead =
  /^(?:Uncaught |Caused by: |Exception in thread "[^"]*" )?[\w$.]*(?:Error|Exception)\b(?: \[\w+\])?(?::|$)/;
/** What runtimes and tools print after the message. */
const epilogue = /^(?:Node\.js v\d+\.|\(Use `\S+ --trace-|\[ perf record: )/;
const maxBytes = 1 << 16;

/**
 * The line of a program's stderr that says why it failed, at most 200 characters: the message of the stack trace that
 * ends it (Node, Java), else the last line that is not an epilogue such as `Node.js v20.19.0`. Empty without any line.
 */
export function causeLine(stderr: Uint8Array): string {
  const printed = new TextDecoder().decode(stderr.subarray(-maxBytes)).split(/[\r\n]+/);
  const lines = printed.filter((line) => line.trim() !== "");
  const messages = lines.filter((line) => !epilogue.test(line));
  const last = messages.at(-1) ?? lines.at(-1) ?? "";
  return (traceMessage(messages) ?? last).trim().slice(0, 200);
}

/** The message of the stack trace at the end of `lines`, null without one. Node prints properties of the error last. */
function traceMessage(lines: readonly string[]): string | null {
  const hasProperties = lines.at(-1) === "}";
  const frames = hasProperties ? lines.findLastIndex((line) => isFrame(line) && line.endsWith(" {")) : lines.length - 1;
  if (frames < 0 || !(hasProperties || isFrame(lines[frames] ?? "") || isElision(lines[frames] ?? ""))) return null;
  const above = lines.slice(0, frames + 1).filter((line) => !frame.test(line) && !isElision(line));
  return above.findLast((line) => errorHead.test(line)) ?? above.at(-1) ?? null;
}

function isFrame(line: string): boolean {
  return frame.test(line) && !nestedFrame.test(line);
}

/** `... 4 lines matching cause stack trace ...` of Node, `... 12 more` of Java. */
function isElision(line: string): boolean {
  return /^\s+\.\.\. \d+ /.test(line);
}
