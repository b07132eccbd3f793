import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    // Stories drive a whole process through a pseudo-terminal; the bound only stops a hang.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Stories wait for other processes most of the time: one file for each core keeps them busy.
    maxWorkers: Math.max(2, availableParallelism()),
    env: { FORCE_COLOR: "1" },
  },
});
