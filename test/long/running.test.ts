/** The shell blocks of the pages, run against a sandbox, section by section. */
import { type Ended, openHome, runAll } from "../docs/home.ts";
import { type Block, blocksOf, pages } from "../docs/pages.ts";
import { runCommand } from "../helpers/command.ts";
import { type Folders, programEnvironment } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { callsIn } from "../helpers/shell-calls.ts";
import { spawnConsole } from "../helpers/terminal.ts";
import { statementsOf } from "./statements.ts";

/** The page whose sections set up a service, without one from the environment. */
const ownService = "docs/connect.md";
/** The faults of the service in a section. */
const faults: Readonly<Record<string, readonly string[]>> = {
  // As many times as a write is sent: its outcome is then unknown, and verifying settles it.
  "docs/how-to/automation.md: Handle an unknown outcome": ["reset-after@notesx4"],
  "docs/how-to/on-call.md: Resolve an unknown outcome": ["reset-after@notesx4"],
};
/** Sends the entries that exist before a section begins. */
const before: Readonly<Record<string, readonly string[]>> = {
  "docs/how-to/on-call.md: Resolve an unknown outcome": [
    ...["notes", "create", "ACME", "EXT-0000001", "--body", "Called", "--settle", "0s"],
  ],
};
/** The exit codes of statements that do not end with 0. */
const endings: readonly (readonly [statement: RegExp, code: number])[] = [
  // Stuck for good, until the time is over.
  [/^supplyline accounts watch ACME EXT-0000006/, 8],
  // Not every account of the list is imported.
  [/^supplyline reconcile /, 10],
  // No list is a day old yet.
  [/^supplyline check ACME --pending-older-than/, 10],
  // Verified before, so there is nothing left to settle.
  [/^supplyline activity close 1/, 2],
];
/** Neither a command of ours nor of any machine. */
const notRun = /^(npm|npx(?! supplyline)|man) /;
/** The texts of the pages that a test replaces, because it has something else or does not wait. */
const meanings: readonly (readonly [from: string, to: () => string])[] = [
  // In the checkout; the home of these tests has the program, and the examples without a folder.
  ["npx supplyline", () => "supplyline"],
  ["examples/", () => ""],
  ["https://api.example.com", () => sandbox.baseUrl],
  // No terminal asks for the key, and no store of passwords has it.
  ["login --profile acme-test", () => "login --profile acme-test --api-key-stdin < key.txt"],
  ["pass show acme", () => "cat ~/key.txt"],
  // The account that is stuck for good is not waited for.
  [
    "EXT-0000006 --until COMPLETED --timeout 30m",
    () => "EXT-0000006 --until COMPLETED --timeout 1s",
  ],
  ["--timeout 30m", () => "--timeout 8s"],
  ['notes create ACME "$1"', () => 'notes create ACME "$1" --settle 0s'],
  ["activity verify 1", () => "activity verify 1 --settle 0s"],
  ['activity verify "$id"', () => 'activity verify "$id" --settle 0s'],
];
const interactive = /^supplyline (open|--sandbox$)\b/;
/** Syntax of the shell: such a statement needs one. */
const shellWords = /[|<>$&;`*]|^\w+=|\(\)|(?<!\\)\n/;

interface Section {
  readonly name: string;
  readonly page: string;
  readonly statements: readonly string[];
}

function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const sections = new Map<string, Section>();
  for (const { page, section, language, text } of blocks) {
    if (language !== "sh") continue;
    const name = `${page}: ${section}`;
    const known = sections.get(name)?.statements ?? [];
    sections.set(name, { name, page, statements: [...known, ...statementsOf(text)] });
  }
  return [...sections.values()];
}

const sections = sectionsOf(pages.flatMap(blocksOf));
const runnable = sections
  .map(({ statements, ...section }) => ({
    ...section,
    statements: statements.filter(
      (one) => !notRun.test(one) && !interactive.test(one) && !/^supplyline sandbox\b/.test(one),
    ),
  }))
  .filter(({ statements }) => statements.length > 0);

let sandbox: TestSandbox;
beforeAll(async () => {
  // Half a minute of imports in half a second.
  sandbox = await openSandbox({ speed: 50, accounts: 800 });
});

async function injectFaults(specs: readonly string[]): Promise<void> {
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

/** A command in this process; whatever needs a shell, in one with the statements beside it. */
async function run(
  statements: readonly string[],
  env: Readonly<Record<string, string>>,
  folders: Folders,
): Promise<readonly Ended[]> {
  if (statements.some((one) => shellWords.test(one.replace(/ +#.*$/gm, ""))))
    return runAll(statements, programEnvironment(folders, env), folders.home);
  const ended: Ended[] = [];
  for (const statement of statements) {
    const [words = []] = callsIn(statement);
    const { code, stdout, stderr } = await runCommand(words, { env: { ...env }, folders });
    ended.push({ statement, code: code ?? -1, output: `${stdout}${stderr}` });
  }
  return ended;
}

function expectedCode(statement: string): number {
  return endings.find(([pattern]) => pattern.test(statement))?.[1] ?? 0;
}

describe("the commands of the pages work as they are", () => {
  test.each(runnable)("$name", async ({ name, page, statements }) => {
    const folders = await openHome(sandbox.apiKey);
    const service = sandbox.env;
    const env = page === ownService ? {} : service;
    await injectFaults(faults[name] ?? []);
    const first = before[name];
    if (first !== undefined) await runCommand(first, { env, folders });
    const here = statements.map((one) =>
      meanings.reduce((text, [from, to]) => text.replaceAll(from, to()), one),
    );
    const ended = await run(here, env, folders);
    const wanted = here.map((statement) => ({ statement, code: expectedCode(statement) }));
    expect(
      ended.map(({ statement, code }) => ({ statement, code })),
      ended.map(({ output }) => output).join("\n"),
    ).toEqual(wanted);
  });
});

const opened = sections.flatMap(({ name, statements }) =>
  statements.filter((one) => interactive.test(one)).map((statement) => ({ name, statement })),
);

test.each(opened)("$name: $statement opens the console there", async ({ statement }) => {
  const [words = []] = callsIn(statement);
  const terminal = await spawnConsole(words, {
    env: sandbox.env,
  });
  await terminal.waitFor(words.at(-1) === "--sandbox" ? "Suppliers" : (words.at(-1) ?? ""));
});
