import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    // Stories drive a whole process through a pseudo-terminal; the bound only stops a hang.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { FORCE_COLOR: "1" },
  },
});
