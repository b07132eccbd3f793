/** A plain HTTP client for sandboxes under test, and sandboxes that close themselves. */
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import { startSandbox } from "../../src/sandbox/index.ts";

export interface Client {
  readonly sandbox: Sandbox;
  readonly token: string;
  /** A request with the token. */
  get(path: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
}

/** Noon of a Friday in November: inside a statement period of 30 days. */
export const noon = Date.UTC(2025, 10, 21, 12);

export interface FakeClock {
  now: () => number;
  pass(seconds: number): void;
}

export function fakeClock(start = noon): FakeClock {
  let instant = start;
  return {
    now: () => instant,
    pass: (seconds) => {
      instant += seconds * 1000;
    },
  };
}

export async function opened(options: SandboxOptions = {}): Promise<Client> {
  const sandbox = await startSandbox({ now: () => noon, ...options });
  onTestFinished(() => sandbox.close());
  return clientOf(sandbox);
}

export async function clientOf(sandbox: Sandbox): Promise<Client> {
  const token = await tokenFor(sandbox.baseUrl, sandbox.apiKey);
  // What a test counts are the bytes of the content.
  const headers = { authorization: `Token ${token}`, "accept-encoding": "identity" };
  return {
    sandbox,
    token,
    get: (path) => fetch(sandbox.baseUrl + path, { headers, redirect: "manual" }),
    post: (path, body) =>
      fetch(sandbox.baseUrl + path, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
        redirect: "manual",
      }),
  };
}

export function obtainToken(baseUrl: string, apiKey: string): Promise<Response> {
  const query =
    "mutation Obtain($key: String!) { obtainToken(input: {APIKey: $key}) { token refreshToken refreshExpiresIn } }";
  return fetch(`${baseUrl}/v1/graphql/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables: { key: apiKey } }),
  });
}

export async function tokenFor(baseUrl: string, apiKey: string): Promise<string> {
  const answer = await json(await obtainToken(baseUrl, apiKey));
  return answer.data.obtainToken.token;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export const json = (response: Response): Promise<any> => response.json();

export const paths = {
  notes: "/v1/data-import/notes/create/",
  transactions: "/v1/data-import/transactions/create/",
  statements: "/v1/data-import/historical-statements/create/",
  payment: "/v1/data-import/payment-instruction/create/",
  validate: "/v2/data-import/supply-points/validate/",
  create: "/v2/data-import/supply-points/",
  list: (state: string, supplier = "ACME") =>
    `/v1/data-import/${state}-account-import-processes/${encodeURIComponent(supplier)}/`,
  account: (number: string, supplier = "ACME") =>
    `/v1/data-import/account-transfer-status/${supplier}/${encodeURIComponent(number)}/`,
  supplyPoint: (identifier: string, supplier = "ACME") =>
    `/v2/data-import/supply-points/${supplier}/${encodeURIComponent(identifier)}/`,
};

export const imported = { import_supplier: "ACME", external_account_number: "EXT-0000001" };
