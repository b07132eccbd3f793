/** The shell blocks of the pages, run by a shell against a sandbox, section by section. */
import { spawn } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { builtProgram } from "../helpers/built-program.ts";
import { charge, supplyPoint } from "../helpers/desk.ts";
import { openFolders, programEnvironment } from "../helpers/folders.ts";
import { callsIn } from "../helpers/shell-calls.ts";
import { openConsole } from "../helpers/terminal.ts";
import { type Block, blocksOf, pages } from "./pages.ts";
import { statementsOf } from "./statements.ts";

/** Sections whose commands are told what becomes of an earlier section's, or of no sandbox. */
const elsewhere = ["docs/bulk.md: Results, reports and exit codes"];
/** Sections that set up a service of their own, without one from the environment. */
const ownService = ["docs/guide.md: Set up a profile on a jump host"];
/** What the service does wrong in a section. */
const faults: Readonly<Record<string, readonly string[]>> = {
  // As many times as a write is sent: then nobody knows, and verifying finds out.
  "docs/guide.md: In a script": ["reset-after@notesx4"],
  "docs/guide.md: An outcome is unknown": ["reset-after@notesx4"],
};
/** What was sent before a section begins. */
const before: Readonly<Record<string, string>> = {
  "docs/guide.md: An outcome is unknown":
    "supplyline notes create ACME EXT-0000001 --body Called --settle 0s",
};
/** How a statement ends that does not end with 0. */
const endings: readonly (readonly [statement: RegExp, code: number])[] = [
  // Stuck for good, until the time is over.
  [/^supplyline accounts watch ACME EXT-0000006/, 8],
  // Verified before, so there is nothing left to settle.
  [/^supplyline activity close 1/, 2],
];
/** Neither a command of ours nor of any machine. */
const notRun = /^(npm|man) /;
/** What stands in the pages for something that a test has at hand, or does not wait for. */
const meanings: readonly (readonly [from: string, to: () => string])[] = [
  ["https://api.example.com", () => sandbox.baseUrl],
  ["--timeout 30m", () => "--timeout 8s"],
  ['notes create ACME "$1"', () => 'notes create ACME "$1" --settle 0s'],
  ["activity verify 1", () => "activity verify 1 --settle 0s"],
  ['activity verify "$id"', () => 'activity verify "$id" --settle 0s'],
];
const interactive = /^supplyline (open|--sandbox)\b/;

interface Section {
  readonly name: string;
  readonly statements: readonly string[];
}

function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const sections = new Map<string, string[]>();
  for (const { page, section, language, text } of blocks) {
    if (language !== "sh") continue;
    const name = `${page}: ${section}`;
    sections.set(name, [...(sections.get(name) ?? []), ...statementsOf(text)]);
  }
  return [...sections].map(([name, statements]) => ({ name, statements }));
}

const sections = sectionsOf(pages.flatMap(blocksOf));
const runnable = sections
  .filter(({ name }) => !elsewhere.includes(name))
  .map(({ name, statements }) => ({
    name,
    statements: statements.filter(
      (one) => !notRun.test(one) && !interactive.test(one) && !/^supplyline sandbox\b/.test(one),
    ),
  }))
  .filter(({ statements }) => statements.length > 0);

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  // Half a minute of imports in half a second.
  sandbox = await startSandbox({ speed: 50, accounts: 800 });
});
afterAll(() => sandbox.close());

async function showFaults(specs: readonly string[]): Promise<void> {
  const asked = await fetch(`${sandbox.baseUrl}/v1/graphql/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      query: "mutation ($apiKey: String!) { obtainToken(input: {APIKey: $apiKey}) { token } }",
      variables: { apiKey: sandbox.apiKey },
    }),
  });
  const { data } = (await asked.json()) as { data: { obtainToken: { token: string } } };
  const answer = await fetch(`${sandbox.baseUrl}/sandbox/faults`, {
    method: "PUT",
    headers: { authorization: `Token ${data.obtainToken.token}` },
    body: JSON.stringify(specs),
  });
  expect(answer.status).toBeLessThan(300);
}

/** A user's folder with the files that the pages speak of. */
async function openHome() {
  const folders = await openFolders();
  const { home } = folders;
  await mkdir(join(home, "bin"), { recursive: true });
  const put = (name: string, text: string) => writeFile(join(home, name), text, { mode: 0o600 });
  await put("bin/supplyline", `#!/bin/sh\nexec '${process.execPath}' '${builtProgram()}' "$@"\n`);
  await chmod(join(home, "bin/supplyline"), 0o755);
  await put("key.txt", `${sandbox.apiKey}\n`);
  await put("accounts.txt", "EXT-0000001\nEXT-0000017\n");
  await put("accounts.csv", "external_account_number\nEXT-0000001\nEXT-0000002\n");
  await put("transactions.json", JSON.stringify([charge("T-1")]));
  await put("sp.json", JSON.stringify(supplyPoint("SP-NEW-1")));
  await put("notes.csv", "import_supplier,external_account_number,body\nACME,EXT-0000001,Called\n");
  return folders;
}

interface Ended {
  readonly statement: string;
  readonly code: number;
}

/** Runs statements one after another in one shell; resolves with how each ended, and what was said. */
async function runAll(
  statements: readonly string[],
  env: Readonly<Record<string, string>>,
  home: string,
): Promise<{ readonly ended: readonly Ended[]; readonly said: string }> {
  const script = statements
    .map((one) => `${one}\nprintf '%s\\n' "$?" >> .codes\necho '--- ' >&2`)
    .join("\n");
  const child = spawn("bash", ["-c", script], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pieces: string[] = [];
  child.stdout.on("data", (piece) => pieces.push(String(piece)));
  child.stderr.on("data", (piece) => pieces.push(String(piece)));
  await new Promise((resolve) => child.on("close", resolve));
  const codes = (await readFile(join(home, ".codes"), "utf8")).trim().split("\n").map(Number);
  return {
    ended: statements.map((statement, at) => ({ statement, code: codes[at] ?? -1 })),
    said: pieces.join(""),
  };
}

function expectedCode(statement: string): number {
  return endings.find(([pattern]) => pattern.test(statement))?.[1] ?? 0;
}

describe("what the pages have one type, typed", () => {
  test.each(runnable)("$name", async ({ name, statements }) => {
    await using folders = await openHome();
    const service = { SUPPLYLINE_BASE_URL: sandbox.baseUrl, SUPPLYLINE_API_KEY: sandbox.apiKey };
    const env = programEnvironment(folders, {
      PATH: `${join(folders.home, "bin")}:${process.env.PATH ?? ""}`,
      ...(ownService.includes(name) ? {} : service),
    });
    await showFaults(faults[name] ?? []);
    const first = before[name];
    if (first !== undefined) await runAll([first], env, folders.home);
    await writeFile(join(folders.home, ".codes"), "");
    const here = statements.map((one) =>
      meanings.reduce((text, [from, to]) => text.replaceAll(from, to()), one),
    );
    const { ended, said } = await runAll(here, env, folders.home);
    const wanted = here.map((statement) => ({ statement, code: expectedCode(statement) }));
    expect(ended, said).toEqual(wanted);
  });
});

const opened = sections.flatMap(({ name, statements }) =>
  statements.filter((one) => interactive.test(one)).map((statement) => ({ name, statement })),
);

test.each(opened)("$name: $statement opens the console there", async ({ statement }) => {
  const [words = []] = callsIn(statement);
  await using terminal = await openConsole(words, {
    env: { SUPPLYLINE_BASE_URL: sandbox.baseUrl, SUPPLYLINE_API_KEY: sandbox.apiKey },
  });
  await terminal.waitFor(words.at(-1) === "--sandbox" ? "Suppliers" : (words.at(-1) ?? ""));
});
