/** The example of a crontab, and those of GitHub Actions: their commands, run against a sandbox. */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { programEnvironment } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openHome, runAll } from "./home.ts";
import { project } from "./pages.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});

/** Each in a shell of its own; the service stands in for the profile, which a test does not have. */
async function run(commands: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const folders = await openHome(sandbox.apiKey);
  await mkdir(join(folders.home, "reports"));
  const env = {
    ...sandbox.env,
    ...more,
  };
  const here = commands.map((one) => `(${one.replaceAll(" --profile acme", "")})`);
  const ended = await runAll(here, programEnvironment(folders, env), folders.home);
  const file = (name: string) => readFile(join(folders.home, name), "utf8");
  return { ended, file };
}

test("the lines of the crontab work, and the check prints what is to be mailed", async () => {
  const text = await readFile(join(project, "examples/crontab"), "utf8");
  const commands = [...text.matchAll(/^(?:[\d*/,-]+ +){5}(.+)$/gm)].map(
    ([, command = ""]) => command,
  );
  expect(commands).toHaveLength(4);
  // cron's own PATH has neither a program of npm nor its Node.
  expect(text.split("\n").find((line) => !line.startsWith("#"))).toMatch(/^PATH=\S+\/local\/bin/);
  const ran = await run(commands);
  expect(
    ran.ended.map(({ code }) => code),
    JSON.stringify(ran.ended),
  ).toEqual([0, 0, 0, 0]);
  // No list is a day old on a new machine, which is worth a mail.
  expect(ran.ended[2]?.output).toContain("lists are stored only since");
  expect(await ran.file("reports/pending.csv")).toContain("external_account_number");
  expect(await ran.file("reports/supplyline.prom")).toContain(
    'supplyline_pending_accounts{import_supplier="NORTH"} ',
  );
});

/** Returns the shell text of each step of a workflow that runs one: a line, or a block below `run: |`. */
function stepsOf(workflow: string): readonly string[] {
  const found = workflow.matchAll(/^( +)run: (?:\|\n((?:\1 +.*\n)+)|(.+)\n)/gm);
  return [...found].map(([, , block = "", line = ""]) => block.replace(/^ +/gm, "") || line);
}

test("a check of GitHub Actions that gets no answer fails with its own annotation", async () => {
  const text = await readFile(join(project, "examples/github-actions-check.yml"), "utf8");
  const [check = ""] = stepsOf(text).filter((step) => step.includes("supplyline check"));
  const ran = await run([check], { SUPPLYLINE_API_KEY: "refused" });
  expect(ran.ended[0]?.code).toBe(3);
  expect(ran.ended[0]?.output).toContain("::error title=ACME::Not checked: exit code 3.");
});

test("the check of GitHub Actions works, with the state folder that is cached", async () => {
  const text = await readFile(join(project, "examples/github-actions-check.yml"), "utf8");
  // The step that installs the program is not for a test.
  const commands = stepsOf(text).filter((step) => !step.startsWith("npm "));
  expect(commands).toHaveLength(2);
  const [folder] = /(?<=workspace \}\}\/)\w+/.exec(text) ?? [];
  const cached = [...text.matchAll(/^ +path: (\w+)$/gm)].map(([, path]) => path);
  expect(cached).toEqual([folder, folder]);
  const inWorkspace = (command: string) =>
    `export SUPPLYLINE_STATE_DIR="$PWD/${folder}"\n${command}`;
  const ran = await run(commands.map(inWorkspace), { GITHUB_STEP_SUMMARY: "summary.md" });
  // The first run has no history yet.
  expect(
    ran.ended.map(({ code }) => code),
    JSON.stringify(ran.ended),
  ).toEqual([10, 0]);
  expect(ran.ended[0]?.output).toContain("::error title=ACME::A condition is met.");
  expect(await ran.file("summary.md")).toMatch(/^# Shift report of ad-hoc/);
});
