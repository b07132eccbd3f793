/** A desk to send writes from: a service, one user's folders for all runs, and files beside them. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { supplyPointPayload } from "../../faults/supply-point-payload.ts";
import { openFolders } from "../helpers/folders.ts";
import {
  type CliResult,
  type RunningCli,
  type RunOptions,
  runCli,
  startCli,
} from "../helpers/process.ts";
import { type Act, scriptedServer } from "../writes/scripted-server.ts";
import { openSandbox } from "./service.ts";

export interface Desk {
  readonly env: Readonly<Record<string, string>>;
  readonly folders: Awaited<ReturnType<typeof openFolders>>;
  /** Runs a command to its end. */
  run(words: readonly string[], options?: Omit<RunOptions, "folders">): Promise<CliResult>;
  /** Starts a command that the test will end. */
  start(words: readonly string[]): Promise<RunningCli>;
  /** Runs it with `--json` and parses its stdout. */
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints is what the test looks into.
  json(words: readonly string[]): Promise<any>;
  /** Puts a file where commands run; resolves with its name. */
  file(name: string, content: unknown): Promise<string>;
}

/** A desk whose commands go where `env` says. */
export async function openDesk(env: Readonly<Record<string, string>>): Promise<Desk> {
  const folders = await openFolders();
  onTestFinished(() => folders[Symbol.asyncDispose]());
  const run: Desk["run"] = (words, options = {}) =>
    runCli(words, { ...options, env: { ...env, ...options.env }, folders });
  return {
    env,
    folders,
    run,
    start: (words) => startCli(words, { env: { ...env }, folders }),
    json: async (words) => JSON.parse((await run([...words, "--json"])).stdout),
    file: async (name, content) => {
      await mkdir(folders.home, { recursive: true });
      const text = typeof content === "string" ? content : JSON.stringify(content);
      await writeFile(join(folders.home, name), text);
      return name;
    },
  };
}

/** A desk beside a sandbox, which closes with the test. */
export async function sandboxDesk(...faults: string[]) {
  const sandbox = await openSandbox({ faults });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  return { ...(await openDesk(sandbox.env)), sandbox };
}

/** A desk beside a server that does to each write what a script says. */
export async function scriptedDesk(...writes: Act[]) {
  const server = await scriptedServer({ writes });
  const env = { SUPPLYLINE_BASE_URL: server.baseUrl, SUPPLYLINE_TOKEN: "token-1" };
  return { ...(await openDesk(env)), server };
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
