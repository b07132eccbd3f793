/** Promise: the workflow that makes a release names only what is in the project. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string;
  readonly "runs-on": string;
  readonly steps: readonly Step[];
}

/** Reads YAML 1.2; a fault in it, or a key given twice, throws. */
function workflow(path: string): Readonly<Record<string, Job>> {
  return parse(readFileSync(path, "utf8")).jobs;
}

const jobs = workflow(".github/workflows/release.yml");
const steps = Object.values(jobs).flatMap((job) => job.steps);
const manifest = JSON.parse(readFileSync("package.json", "utf8"));

test.each(steps.flatMap(({ run }) => run ?? []))("a script or a file of the project: %s", (run) => {
  for (const [, name = ""] of run.matchAll(/\bnpm run (?:--silent )?([\w-]+)/g))
    expect(Object.keys(manifest.scripts)).toContain(name);
  for (const [path] of run.matchAll(
    /(?<![\w./-])(?:\.\/)?(?:scripts|\.ci|bench|faults)\/[\w./-]+/g,
  ))
    expect(existsSync(path), path).toBe(true);
});

test("every file that a script of the manifest starts exists", () => {
  const started = Object.values<string>(manifest.scripts).flatMap((script) => [
    ...script.matchAll(/\bnode ([\w./-]+\.m?[jt]s)/g),
  ]);
  const paths = started.map(([, path = ""]) => path).filter((path) => !path.startsWith("dist/"));
  expect(paths).toContain("scripts/verify.ts");
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test("every step does one thing, each action has its version, and each job waits for one that exists", () => {
  for (const step of steps)
    expect(Object.keys(step).filter((key) => /^(run|uses)$/.test(key))).toHaveLength(1);
  expect(steps.flatMap(({ uses }) => uses ?? []).filter((one) => !/@v\d+$/.test(one))).toEqual([]);
  const waited = Object.values(jobs).flatMap(({ needs }) => needs ?? []);
  expect(waited).toEqual(["artifacts"]);
  expect(Object.keys(jobs)).toEqual(expect.arrayContaining(waited));
});

test("it builds with a Node that can, and releases under the tag", () => {
  const node = steps.find(({ uses }) => uses?.startsWith("actions/setup-node@"));
  expect(manifest.engines.node).toMatch(new RegExp(`^>=${node?.with?.["node-version"]}\\.`));
  const release = steps.find(({ run }) => run?.includes("npm run release"));
  expect(release?.run).toContain('npm run release -- "$GITHUB_REF_NAME"');
});

test("it publishes everything that the scripts write for users", () => {
  const uploaded = steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
  const published = steps.find(({ run }) => run?.includes("gh release create"))?.run ?? "";
  for (const pattern of ["*.tar.xz", "*.tgz", "SHA256SUMS-*", "CHANGES.md"]) {
    expect(String(uploaded?.with?.path).split("\n")).toContain(`release/${pattern}`);
    expect(published.split(" ")).toContain(pattern);
  }
});

test.each(["examples/github-actions.yml", "examples/github-actions-check.yml"])(
  "%s is a workflow",
  (path) => {
    for (const job of Object.values(workflow(path))) {
      expect(job["runs-on"]).toMatch(/./);
      expect(job.steps.length).toBeGreaterThan(0);
    }
  },
);
