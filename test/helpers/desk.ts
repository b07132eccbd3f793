/**
 * A desk to run commands at: a service, one user's folders for all runs, files beside them, and the
 * inputs that its tests share.
 */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { supplyPointPayload } from "../../faults/supply-point-payload.ts";
import type { Clock } from "../../src/api/clock.ts";
import { hurriedClock } from "./clock.ts";
import {
  type CommandOptions,
  enterFolder,
  type RunningCommand,
  runCommand,
  startCommand,
} from "./command.ts";
import { type Console, type OpenConsoleOptions, openConsole } from "./console.ts";
import { openFolders } from "./folders.ts";
import { type CliResult, type RunningCli, startCli } from "./process.ts";
import { type Act, openSandbox, openService } from "./service.ts";

interface Desk {
  readonly env: Readonly<Record<string, string>>;
  readonly folders: Awaited<ReturnType<typeof openFolders>>;
  /** Runs a command to its end. */
  run(words: readonly string[], options?: Omit<CommandOptions, "folders">): Promise<CliResult>;
  /** Starts a command that the test will end. */
  start(words: readonly string[], clock?: Clock): Promise<RunningCommand>;
  /** The same as a process, for a test that kills it or closes its pipes. */
  spawn(words: readonly string[]): Promise<RunningCli>;
  /** Starts a command on a terminal. */
  terminal(words: readonly string[], options?: OpenConsoleOptions): Promise<Console>;
  /** Runs it with `--json` and parses its stdout. */
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints is what the test looks into.
  json(words: readonly string[]): Promise<any>;
  /** Puts a file where commands run; resolves with its name. */
  file(name: string, content: unknown): Promise<string>;
}

/** A desk whose commands go where `env` says, by the machine's clock or another one. */
export async function openDesk(
  env: Readonly<Record<string, string>>,
  clock?: Clock,
): Promise<Desk> {
  const folders = await openFolders();
  onTestFinished(() => folders[Symbol.asyncDispose]());
  const run: Desk["run"] = (words, options = {}) =>
    runCommand(words, { clock, ...options, env: { ...env, ...options.env }, folders });
  return {
    env,
    folders,
    run,
    start: (words, own = clock) => startCommand(words, { clock: own, env: { ...env }, folders }),
    spawn: (words) => startCli(words, { env: { ...env }, folders }),
    terminal: async (words, options = {}) => {
      const leave = enterFolder(folders.home);
      const shown = await openConsole(words, {
        ...options,
        folders,
        env: { ...env, ...options.env },
      });
      shown.exit.finally(leave);
      return shown;
    },
    json: async (words) => JSON.parse((await run([...words, "--json"])).stdout),
    file: async (name, content) => {
      await mkdir(folders.home, { recursive: true });
      const text = typeof content === "string" ? content : JSON.stringify(content);
      await writeFile(join(folders.home, name), text);
      return name;
    },
  };
}

/** A desk beside a sandbox, which closes with the test; no pause lasts. */
export async function sandboxDesk(...faults: string[]) {
  const sandbox = await openSandbox({ faults });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  return { ...(await openDesk(sandbox.env, hurriedClock())), sandbox };
}

/** A desk beside a server that does to each write what a script says; no pause lasts. */
export async function scriptedDesk(...writes: Act[]) {
  const server = await openService({ writes });
  const env = { SUPPLYLINE_BASE_URL: server.baseUrl, SUPPLYLINE_TOKEN: "token-1" };
  return { ...(await openDesk(env, hurriedClock())), server };
}

/** Today, which is inside the sandbox's open statement period. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

export function charge(id: string, more: Readonly<Record<string, unknown>> = {}) {
  const plain = { transaction_date: today(), amount: 12.5, type: "CHARGE" };
  return { transaction_id: id, ...plain, reason: "IMPORTED_CHARGE", ...more };
}

/** With a customer in full, so that every field of the form has a text. */
export function supplyPoint(identifier: string, supplier = "ACME") {
  const payload = supplyPointPayload(identifier, supplier);
  const customer = {
    title: "Ms",
    given_name: "Ada",
    family_name: "Example",
    email: "ada@mail.example",
    mobile: "+4915112345678",
    landline: "+49301234567",
    salutation: "Ms Example",
    account_roles: ["ADMIN"],
  };
  const accounts = payload.accounts.map((one) => ({ ...one, customers: [customer] }));
  return { ...payload, accounts };
}

export const note = (...words: string[]) => ["notes", "create", "ACME", "EXT-0000001", ...words];

export const instruction = (vendor: string, ...words: string[]) => [
  ...["payment-instructions", "create", "ACME", "EXT-0000001", "--vendor", vendor],
  ...["--reference", "R-1", "--type", "CARD", "--settle", "0s", ...words],
];

/** The object that `--json` puts on stderr, which holds nothing else. */
export function errorOf({ stderr }: CliResult) {
  return JSON.parse(stderr).error;
}

const imported = 400;

/** A desk for many rows. Its environment is `sandbox`, so that a run needs no confirmation. */
export async function bulkDesk(...faults: string[]) {
  const supplier = { code: "BULK", status: "Ongoing", imported, staged: 50 } as const;
  const sandbox = await openSandbox({ faults, suppliers: [supplier] });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const desk = await openDesk({ ...sandbox.env, SUPPLYLINE_ENVIRONMENT: "sandbox" });
  const path = (name: string) => join(desk.folders.home, name);
  return {
    ...desk,
    sandbox,
    read: (name: string) => readFile(path(name), "utf8"),
    mode: async (name: string) => (await stat(path(name))).mode & 0o777,
    path,
    /** What took effect, one key for each effect. */
    landed: () => sandbox.ledger().map(({ identifier, key }) => `${identifier} ${key}`),
  };
}

/** The number of an imported account, from 1. */
export function account(n: number): string {
  return `BULK-${String(n).padStart(7, "0")}`;
}

/** Notes for `count` accounts, one each, as CSV. */
export function notesCsv(count: number, text = "note"): string {
  const rows = Array.from(
    { length: count },
    (_, at) => `BULK,${account(at + 1)},${text} ${at + 1}`,
  );
  return `import_supplier,external_account_number,body\n${rows.join("\n")}\n`;
}

/** One transaction for each amount, on accounts of their own. */
export function transactionsCsv(...amounts: string[]): string {
  const head =
    "import_supplier,external_account_number,transaction_id,transaction_date,amount,type,reason";
  const rows = amounts.map(
    (amount, at) =>
      `BULK,${account(at + 1)},T-${at + 1},${today()},${amount},CHARGE,IMPORTED_CHARGE`,
  );
  return `${head}\n${rows.join("\n")}\n`;
}

/** The id of a run, from stderr. */
export function runIn({ stderr }: Pick<CliResult, "stderr">): string {
  const id = /^run (\S+)$/m.exec(stderr)?.[1];
  if (id === undefined) throw new Error(`no run was reported:\n${stderr}`);
  return id;
}

/** The rows of a results file, by its columns. */
export function resultsOf(text: string): Record<string, string>[] {
  return parse(text, { columns: true });
}
