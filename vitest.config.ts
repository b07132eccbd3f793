import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longer than the rest, the longest first: most of them wait for processes. */
const longest = [
  "flows/hang-up-at-work",
  "bench/bench",
  "faults/campaign",
  "flows/hang-up",
  "writes/processes",
  "bulk/kills",
  "docs/running",
  "flows/as-command",
  "flows/terminals",
  "flows/compose",
];

/** Begins with the longest files, so that no core is left alone with one at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(`/test/${name}.test.`));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  // React as it is shipped: what draws a screen is then what users run, and takes half the time.
  oxc: { jsx: { runtime: "automatic", development: false } },
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    // The bound only stops a hang.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // One more than cores: stories wait for processes and terminals part of their time.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Ink redirects the console while it draws, for which it has to be Node's own.
    disableConsoleIntercept: true,
    env: {
      NODE_ENV: "production",
      // The 256 colors of the terminals that stories are drawn on.
      FORCE_COLOR: "2",
      // Scripts that tests start as processes are compiled once for all of them.
      NODE_COMPILE_CACHE: resolve(import.meta.dirname, "node_modules/.cache/compiled"),
    },
  },
});
