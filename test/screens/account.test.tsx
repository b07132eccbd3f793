import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { openFolders } from "../helpers/folders.ts";
import { openConsoleAt } from "./opened-console.tsx";

test("on a small terminal the footer names what can be done before what cannot", async () => {
  const sandbox = await startSandbox({ speed: 0 });
  onTestFinished(() => sandbox.close());
  await using opened = await openConsoleAt({
    service: sandbox,
    places: [{ kind: "suppliers" }, { kind: "account", supplier: "ACME", account: "EXT-0000001" }],
    cols: 60,
    rows: 15,
  });
  const { screen } = opened;
  await screen.waitFor("polling ended");
  // That polling has ended is said above; z could do nothing.
  await screen.waitFor(/^Esc back {2}r refresh {2}w watch {2}: go\/do {2}\? help {2}q quit$/m);
});

test("an account that is on the watch list too is asked for once for both, and watched on when it is left", async () => {
  const asked: number[] = [];
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    if (request.method === "POST")
      response.end(JSON.stringify({ data: { obtainToken: { token: "t" } } }));
    else {
      if (request.url?.includes("account-transfer-status")) asked.push(Date.now());
      const list = request.url?.includes("import-processes");
      response.end(list ? "[]" : JSON.stringify({ status: "IN_PROGRESS" }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  await using folders = await openFolders();
  openSettings({ configDir: folders.config }).setPreferences({ pollIntervalMs: 1_000 });
  await using opened = await openConsoleAt({
    service: { baseUrl: `http://127.0.0.1:${port}`, apiKey: "key-0123456789" },
    folders,
    places: [{ kind: "suppliers" }, { kind: "account", supplier: "ACME", account: "EXT-1" }],
  });
  const { screen } = opened;
  await screen.waitFor("IN_PROGRESS");
  screen.press("w");
  await screen.waitFor("Watching EXT-1");
  const since = asked.length;
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(since + 2), { timeout: 10_000 });
  const gaps = asked.slice(1).map((at, n) => at - (asked[n] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(500);
  // Nobody looks at it here any more: the list does.
  screen.press("W");
  await screen.waitFor("1 watched");
  const left = asked.length;
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(left), { timeout: 10_000 });
});
