import type { Plugin } from "vitest/config";

export const directImportsInTests: Plugin;
