import { spawn } from "node:child_process";
import type { Shell } from "../../plugins/collectors/collector.ts";

/** What desktops take for opening an address. */
const openers = ["xdg-open", "open", "wslview"];

/** Opens an address in the user's browser, which stays when we end; false where nothing is there to do so. */
export async function openInBrowser(shell: Shell, address: string): Promise<boolean> {
  for (const name of openers) {
    const program = await shell.which(name);
    if (program === null) continue;
    spawn(program, [address], { detached: true, stdio: "ignore" })
      .on("error", () => {})
      .unref();
    return true;
  }
  return false;
}
