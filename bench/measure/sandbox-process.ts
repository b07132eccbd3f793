import { programWords } from "../../test/helpers/built-program.ts";
import { type CliOptions, type RunningCli, startProgram } from "../../test/helpers/process.ts";

/** The sandbox in a process of its own. */
export interface SandboxProcess extends AsyncDisposable {
  readonly baseUrl: string;
  /** A token that it accepts. */
  readonly token: string;
  /** The variables that let the program in with its API key, the call for a token included. */
  readonly env: Record<string, string>;
}

/** Starts `supplyline sandbox` and waits for it. */
export async function startSandboxProcess(
  accounts: number,
  options: CliOptions = {},
): Promise<SandboxProcess> {
  const args = ["sandbox", "--json", "--quiet", "--accounts", String(accounts)];
  const cli: RunningCli = await startProgram(programWords(), args, options);
  const line = await cli.stdout.waitForLine("base_url");
  const { base_url: baseUrl, api_key: apiKey } = JSON.parse(line) as Record<string, string>;
  if (!baseUrl || !apiKey) throw new Error(`the sandbox said ${line}`);
  return {
    baseUrl,
    token: await tokenOf(baseUrl, apiKey),
    env: { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_API_KEY: apiKey },
    [Symbol.asyncDispose]: () => cli[Symbol.asyncDispose](),
  };
}

/** Obtains a token of a sandbox (INTERFACE 5). */
export async function tokenOf(baseUrl: string, apiKey: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/v1/graphql/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      query: "mutation($k: String!) { obtainToken(input: {APIKey: $k}) { token } }",
      variables: { k: apiKey },
    }),
  });
  const { data } = (await answer.json()) as { data: { obtainToken: { token: string } } };
  return data.obtainToken.token;
}

/** External account numbers of supplier ACME that are imported, or that stay staged. */
export async function accountsOf(
  sandbox: SandboxProcess,
  state: "imported" | "pending",
): Promise<string[]> {
  const answer = await fetch(
    `${sandbox.baseUrl}/v1/data-import/${state}-account-import-processes/ACME/`,
    { headers: { authorization: `Token ${sandbox.token}` } },
  );
  const rows = (await answer.json()) as { external_account_number: string }[];
  return rows.map((row) => row.external_account_number);
}
