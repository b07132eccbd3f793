/** Promise: the workflows name only files and scripts that the project has. */
import { existsSync, readFileSync } from "node:fs";
import { parse } from "yaml";

interface Step {
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly "runs-on": string;
  readonly "timeout-minutes"?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Reads YAML 1.2; a fault in it, or a key given twice, throws. */
function workflow(path: string): Workflow {
  return parse(readFileSync(path, "utf8"));
}

const ci = workflow(".github/workflows/ci.yml");
const release = workflow(".github/workflows/release.yml");
const nightly = workflow(".github/workflows/nightly.yml");
const workflows = [ci, release, nightly];
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap((job) => job.steps);
const steps = workflows.flatMap(stepsOf);
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

test("every step does one thing, each action is a commit, and each job waits for one that exists", () => {
  for (const step of steps)
    expect(Object.keys(step).filter((key) => /^(run|uses)$/.test(key))).toHaveLength(1);
  // A tag can be moved to other code. The comment behind it names the version.
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(actions.filter((one) => !/@[0-9a-f]{40}$/.test(one))).toEqual([]);
  const waited = Object.values(release.jobs).flatMap(({ needs }) => needs ?? []);
  expect(waited).toEqual(["artifacts", "bench"]);
  expect(Object.keys(release.jobs)).toEqual(expect.arrayContaining(waited));
});

test("every job ends in time, and only the one that publishes may write", () => {
  for (const { permissions, jobs } of workflows) {
    expect(permissions).toEqual({ contents: "read" });
    for (const job of Object.values(jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  }
  const writers = workflows.flatMap(({ jobs }) =>
    Object.entries(jobs).flatMap(([name, job]) => (job.permissions === undefined ? [] : [name])),
  );
  expect(writers).toEqual(["publish"]);
});

test("each push to main and each pull request is checked as a clean checkout is", () => {
  expect(Object.keys(ci.on)).toEqual(["push", "pull_request"]);
  expect(ci.jobs.check?.steps.at(-1)?.run).toBe(".ci/run");
  expect(ci.jobs.macos?.steps.at(-1)?.run).toBe("npm test");
});

test("they build with a Node that can, and a release has its tag", () => {
  const nodes = steps.filter(({ uses }) => uses?.startsWith("actions/setup-node@"));
  const building = workflows
    .flatMap(({ jobs }) => Object.values(jobs))
    .filter(({ steps: all }) => all.some(({ run }) => /\bnpm |\.ci\/run/.test(run ?? "")));
  expect(nodes).toHaveLength(building.length);
  expect(manifest.engines.node).toMatch(`>=${readFileSync(".nvmrc", "utf8").trim()}.`);
  for (const node of nodes)
    expect(manifest.engines.node).toMatch(new RegExp(`^>=${node.with?.["node-version"]}\\.`));
  const made = steps.find(({ run }) => run?.includes("npm run release"));
  expect(made?.run).toContain('npm run release -- "$GITHUB_REF_NAME"');
});

test("it publishes everything that the scripts write for users, the files of both machines once", () => {
  const uploads = stepsOf(release).filter(({ uses }) =>
    uses?.startsWith("actions/upload-artifact@"),
  );
  const [byEach = [], once = [], figures = []] = uploads.map((upload) =>
    String(upload.with?.path).split("\n"),
  );
  expect(byEach.filter(Boolean)).toEqual(["release/*.tar.xz", "release/SHA256SUMS-*"]);
  expect(once.filter(Boolean)).toEqual(["release/*.tgz", "release/CHANGES.md"]);
  expect(figures).toEqual(["bench-*.json"]);
  expect(uploads.map((upload) => upload.if)).toEqual([
    undefined,
    "matrix.arch == 'x64'",
    undefined,
  ]);
  const published = steps.find(({ run }) => run?.includes("gh release create"))?.run ?? "";
  for (const pattern of ["*.tar.xz", "*.tgz", "SHA256SUMS-*", "CHANGES.md", "bench-*.json"])
    expect(published.split(" ")).toContain(pattern);
});

test.each(["examples/github-actions.yml", "examples/github-actions-check.yml"])(
  "%s is a workflow",
  (path) => {
    for (const job of Object.values(workflow(path).jobs)) {
      expect(job["runs-on"]).toMatch(/./);
      expect(job.steps.length).toBeGreaterThan(0);
    }
  },
);

test("no example uploads the journal where every reader of the repository can download it", () => {
  for (const name of ["github-actions.yml", "github-actions-check.yml"]) {
    const { jobs } = workflow(`examples/${name}`);
    const state = Object.values(jobs)
      .flatMap(({ steps: all }) => all)
      .filter(({ uses }) => uses?.startsWith("actions/upload-artifact@"))
      .filter((step) => /\bstate\b/.test(String(step.with?.path)));
    expect(state, name).toEqual([]);
  }
});
