import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", development: false } },
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    // The bound only stops a hang.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Stories wait for other processes most of the time: one file for each core keeps them busy.
    maxWorkers: Math.max(2, availableParallelism()),
    // Ink redirects the console while it draws, for which it has to be Node's own.
    disableConsoleIntercept: true,
    // React as it is shipped, and the 256 colors of the terminals that stories are drawn on.
    env: { NODE_ENV: "production", FORCE_COLOR: "2" },
  },
});
