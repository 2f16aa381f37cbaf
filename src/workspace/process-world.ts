import { resolve } from "node:path";
import type { World } from "./workspace.ts";

/**
 * This process as a world, for programs that use perfkeep as a library: its environment and clock, and nobody at a
 * terminal.
 */
export function processWorld(directory: string): World {
  return {
    directory: resolve(directory),
    environment: process.env,
    now: () => Date.now(),
    random: () => Math.random(),
    command: "perfkeep as a library",
  };
}
