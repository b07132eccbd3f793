import { AccountListStore } from "../src/accounts/account-list.ts";
import { createService } from "../src/api/client.ts";
import { startEmbeddedSandbox } from "../src/sandbox/embedded.ts";
import { passingCredentials } from "../src/settings/credentials.ts";
import { holdSecrets } from "../src/settings/secrets.ts";
import { alternating, type Result } from "./measure.ts";

/**
 * INTERFACE 4.9 from the request to the first row and to the last row in the table, beside reading
 * the same body to its end and parsing it in one piece.
 */
export async function list(rounds: number, accounts: number): Promise<Result[]> {
  const sandbox = await startEmbeddedSandbox({ accounts });
  const service = createService({
    baseUrl: sandbox.baseUrl,
    credentials: passingCredentials(holdSecrets({ apiKey: sandbox.apiKey })),
  });
  const token = await tokenOf(sandbox);
  const url = `${sandbox.baseUrl}/v1/data-import/all-account-import-processes/ACME/`;
  const parse = async () => {
    const from = performance.now();
    const answer = await fetch(url, { headers: { authorization: `Token ${token}` } });
    JSON.parse(await answer.text());
    return performance.now() - from;
  };
  const load = async (until: "first" | "last") => {
    const store = new AccountListStore();
    const from = performance.now();
    let first = 0;
    await store.load(async function* (signal) {
      const rows = service.accounts.list("ACME", "all", { signal });
      for (;;) {
        const next = await rows.next();
        if (next.done) return next.value;
        first ||= performance.now() - from;
        yield next.value;
      }
    });
    const last = performance.now() - from;
    const { total } = store.getSnapshot();
    store.dispose();
    if (total !== accounts) throw new Error(`${total} rows came instead of ${accounts}`);
    return until === "first" ? first : last;
  };
  try {
    const first = await alternating(rounds, () => load("first"), parse);
    const last = await alternating(rounds, () => load("last"), parse);
    const peer = "fetch and JSON.parse";
    const note = `${accounts} accounts`;
    return [
      { name: "first row", ours: first.ours, peer, theirs: first.theirs, note },
      { name: "last row", ours: last.ours, peer, theirs: last.theirs, note },
    ];
  } finally {
    await service.close();
    await sandbox.close();
  }
}

async function tokenOf(sandbox: { baseUrl: string; apiKey: string }): Promise<string> {
  const answer = await fetch(`${sandbox.baseUrl}/v1/graphql/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      query: "mutation($k: String!) { obtainToken(input: {APIKey: $k}) { token } }",
      variables: { k: sandbox.apiKey },
    }),
  });
  const { data } = (await answer.json()) as { data: { obtainToken: { token: string } } };
  return data.obtainToken.token;
}
