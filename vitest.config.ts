import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { directImportsInTests } from "./scripts/direct-imports.mjs";

/** Tests of code that touches the world (processes, files, native libraries): each file in a process of its own. */
const effects = [
  "src/{cli,commands,store,workspace}/**/*.test.ts",
  "src/plugins/{collectors,engines,renderers,vcs}/**/*.test.ts",
];

const setupFiles = ["test/setup/seed.ts"];

const environment = { TZ: "UTC", LC_ALL: "C", NO_COLOR: "1" };

export default defineConfig({
  test: {
    reporters: ["default"],
    // Two files at a time even on two cores, where one would be the default: most tests wait for a process they
    // started.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        plugins: [directImportsInTests],
        test: {
          name: "pure",
          include: ["src/**/*.test.ts", "web/**/*.test.ts"],
          exclude: effects,
          pool: "threads",
          isolate: false,
          env: environment,
          setupFiles,
          testTimeout: 120_000,
        },
      },
      {
        plugins: [directImportsInTests],
        test: {
          name: "effects",
          include: effects,
          pool: "forks",
          env: environment,
          setupFiles,
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        plugins: [directImportsInTests],
        test: {
          name: "project",
          include: ["test/project/**/*.test.ts", "test/gallery/**/*.test.ts"],
          pool: "forks",
          env: environment,
          setupFiles,
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        plugins: [directImportsInTests],
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          pool: "forks",
          env: environment,
          setupFiles,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        plugins: [directImportsInTests],
        test: {
          name: "library",
          include: ["test/library/**/*.test.ts"],
          pool: "forks",
          env: environment,
          setupFiles,
          testTimeout: 120_000,
        },
      },
      {
        plugins: [directImportsInTests],
        test: {
          name: "cli",
          include: ["test/cli/**/*.test.ts"],
          pool: "forks",
          env: environment,
          setupFiles,
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
