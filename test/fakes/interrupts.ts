import type { Interrupts } from "../../src/workspace/processes/process-group.ts";

/** Interrupts triggered by a test. */
export function fakeInterrupts(): { readonly interrupts: Interrupts; interrupt(): void; readonly listeners: number } {
  const listeners = new Set<() => void>();
  return {
    interrupts: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    interrupt: () => {
      for (const listener of listeners) listener();
    },
    get listeners() {
      return listeners.size;
    },
  };
}
