/** A sandbox in a process of its own, so that it does not share a thread with what is measured. */

import type { LedgerEntry } from "../../src/sandbox/index.ts";
import { startProcess } from "../helpers/process.ts";

export interface SandboxProcess {
  readonly baseUrl: string;
  readonly apiKey: string;
  close(): Promise<void>;
}

const program = `
  const { startSandbox } = await import(${JSON.stringify(new URL("../../src/sandbox/index.ts", import.meta.url).href)});
  const { baseUrl, apiKey } = await startSandbox({ speed: 0, accounts: 3000 });
  console.log(JSON.stringify({ baseUrl, apiKey }));
`;

export async function sandboxProcess(): Promise<SandboxProcess> {
  const child = startProcess([process.execPath, "--input-type=module", "-e", program]);
  const line = await child.stdout.waitForLine("baseUrl");
  const told = JSON.parse(line) as { readonly baseUrl: string; readonly apiKey: string };
  return {
    ...told,
    close: async () => await child[Symbol.asyncDispose](),
  };
}

async function tokenFor({ baseUrl, apiKey }: SandboxProcess): Promise<string> {
  const query = "mutation O($key: String!) { obtainToken(input: {APIKey: $key}) { token } }";
  const answer = await fetch(`${baseUrl}/v1/graphql/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables: { key: apiKey } }),
  });
  const { data } = (await answer.json()) as { data: { obtainToken: { token: string } } };
  return data.obtainToken.token;
}

async function read<T>(sandbox: SandboxProcess, path: string): Promise<T> {
  const authorization = `Token ${await tokenFor(sandbox)}`;
  const answer = await fetch(sandbox.baseUrl + path, { headers: { authorization } });
  return (await answer.json()) as T;
}

/** The keys of all effects that were asked for, in order. */
export async function readLedger(sandbox: SandboxProcess): Promise<readonly string[]> {
  const entries = await read<readonly LedgerEntry[]>(sandbox, "/sandbox/ledger");
  return entries.filter(({ cause }) => cause === "request").map(({ key }) => key);
}

/** Accounts that can be written to. */
export async function importedAccounts(sandbox: SandboxProcess): Promise<readonly string[]> {
  const path = "/v1/data-import/imported-account-import-processes/ACME/";
  const rows = await read<readonly { external_account_number: string }[]>(sandbox, path);
  return rows.map((row) => row.external_account_number);
}
