import { mkdir, rename, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { build } from "esbuild";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from "vitest/node";
import { leanPackagesInTests } from "./scripts/lean-packages.ts";
import { longestWait } from "./test/helpers/longest-wait.ts";

/** Files that take longer than the rest, the longest first, as measured: most of them wait for processes. */
const longest = [
  "commands/two-people-tricks",
  "screens/list-traits",
  "screens/pictures",
  "security/gate-files",
  "security/gate-console",
  "writes/team/sql-ledger",
  "flows/bulk",
  "commands/bulk-resume",
  "screens/dead-keys",
  "security/odd-files",
  "bulk/trouble",
  "writes/agreement",
  "writes/retry-table",
  "screens/bulk-file",
  "screens/list-files",
  "screens/suppliers",
  "flows/linear",
  "screens/ages",
  "docs/transcripts",
  "commands/time-zone",
  "writes/team/memory-ledger",
  "accounts/filter",
  "security/secrets-everywhere",
  "screens/review",
  "flows/tour",
  "flows/habits",
  "bulk/resume",
  "flows/compose",
  "long/campaign",
  "long/team-machines",
  "long/bench",
  "long/sabotage",
  "long/team-cluster",
  "long/terminals/hang-up-at-work",
  "long/text-fields",
  "long/terminals/hang-up",
  "long/running",
  "long/stopped-sends",
  "long/terminals/as-command",
  "long/terminals/terminals",
  "long/processes",
];

/** Needs a process of its own, because it changes all timers, with those that libraries still have. */
const alone = "test/api/clock.test.ts";

/** Files that `npm run test:long` runs, and `npm test` does not. */
const long = "test/long/**/*.test.{ts,tsx}";

/** The one of them that needs a process of its own, because it changes V8's flags. */
const longAlone = "test/long/a-day.test.ts";

/** Files of these projects run one after another in the same process. */
const together = {
  // Loading the program anew for each file takes longer than most files do.
  isolate: false,
  setupFiles: ["test/helpers/left-as-found.ts"],
};

/**
 * Begins with the files that are alone, because a process ends where the next file cannot use it; then
 * the longest, so that no core is left alone with one at the end.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      if (project.config.isolate) return -1;
      const at = longest.findIndex((name) => moduleId.includes(`/test/${name}.test.`));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Names at the end what passed only when it was run again: each of them is a bug, of a test or of the program. */
const secondAttempts: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const names = modules.flatMap((module) =>
      [...module.children.allTests("passed")]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `  ${module.relativeModuleId}: ${test.fullName}`),
    );
    if (names.length > 0) console.warn(`Passed only at the second attempt:\n${names.join("\n")}`);
  },
};

const cache = resolve(import.meta.dirname, "node_modules/.cache");

/** The threads that the program starts, by the names that `startThread` takes. */
const threads = {
  sandbox: "src/sandbox/worker.ts",
} as const;

/**
 * Threads run as the package has them, as JavaScript. Node reads TypeScript with WebAssembly of its
 * own, and V8 13.6 crashes now and then where several threads of a process run WebAssembly
 * (ThreadIsolation::UnregisterWasmAllocation).
 */
function builtThreads(): Plugin {
  return {
    name: "built-threads",
    enforce: "pre",
    // A result from the cache would have the threads as they were when it was made.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => (id.endsWith("/src/program-files.ts") ? false : null));
    },
    async transform(code, id) {
      if (!id.endsWith("/src/program-files.ts")) return null;
      const files: Record<string, string> = {};
      for (const [name, entry] of Object.entries(threads)) {
        const outfile = resolve(cache, "threads", entry.replaceAll("/", "-").replace(/ts$/, "js"));
        const {
          outputFiles: [file],
        } = await build({
          entryPoints: [resolve(import.meta.dirname, entry)],
          write: false,
          bundle: true,
          format: "esm",
          platform: "node",
          target: "node24",
          packages: "external",
        });
        if (file === undefined) return this.error(`nothing was built of ${entry}`);
        // Put in place whole: another project's test may be reading it.
        await mkdir(dirname(outfile), { recursive: true });
        const next = `${outfile}.${crypto.randomUUID()}`;
        await writeFile(next, file.contents);
        await rename(next, outfile);
        files[name] = outfile;
      }
      const built = code.replace(/existingPath\(`src[^)]*\)/, `${JSON.stringify(files)}[name]`);
      if (built === code) this.error("startThread no longer finds the file of a thread there");
      return built;
    },
  };
}

export default defineConfig({
  plugins: [builtThreads(), leanPackagesInTests(resolve(cache, "lean"))],
  // React as it is shipped: what draws a screen is then what users run, and takes half the time.
  oxc: { jsx: { runtime: "automatic", development: false } },
  test: {
    projects: [
      { extends: true, test: { name: "alone", include: [alone] } },
      {
        extends: true,
        test: {
          name: "together",
          ...together,
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [alone, long],
        },
      },
      {
        extends: true,
        test: { name: "long", ...together, include: [long], exclude: [longAlone] },
      },
      { extends: true, test: { name: "long-alone", include: [longAlone] } },
    ],
    globals: true,
    // The bound only stops a hang: a day of polling takes minutes on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: longestWait, interval: 10 } },
    // Stories wait for real processes and terminals; one that fails is run again, and is named. In the
    // workflows it fails the run.
    retry: Number(process.env.SUPPLYLINE_TEST_RETRY ?? 1),
    reporters: ["default", secondAttempts],
    // Two more than cores: stories wait for processes, frames and disks half of their time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Ink redirects the console while it draws, for which it has to be Node's own.
    disableConsoleIntercept: true,
    env: {
      NODE_ENV: "production",
      // A file in which no zone is set shows times in this one, whatever ran before it.
      TZ: "UTC",
      // The 256 colors of the terminals that stories are drawn on.
      FORCE_COLOR: "2",
      // Scripts that tests start as processes are compiled once for all of them.
      NODE_COMPILE_CACHE: resolve(cache, "compiled"),
    },
  },
});
