import type { Place } from "../../src/session/places.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});

const env = { TERM: "xterm-256color" };

/** Returns the text that the key copies at a place, after its state is on the screen. */
async function copiedAt(
  place: Place,
  state: string,
  folders?: Awaited<ReturnType<typeof openFolders>>,
) {
  const places = [{ kind: "suppliers" } as const, place];
  const options = { service: sandbox, places, env, cols: 120, ...(folders ? { folders } : {}) };
  await using opened = await openConsoleAt(options);
  await opened.screen.waitFor(state);
  await opened.screen.press("Y").until("Hand-over line: sent to the terminal");
  return opened.copied();
}

test("an account is handed over with its last note and the command that opens it", async () => {
  const folders = await openFolders();
  const note = (...words: string[]) =>
    runCommand(["notes", "create", "ACME", "EXT-0000001", ...words], { folders, env: sandbox.env });
  await note("--body", "first");
  await note("--body", "Called the owner");
  await runCommand(["notes", "create", "ACME", "EXT-0000002", "--body", "another account"], {
    folders,
    env: sandbox.env,
  });
  const place = { kind: "account", supplier: "ACME", account: "EXT-0000001" } as const;
  expect(await copiedAt(place, "✓ COMPLETED", folders)).toMatch(
    /^ACME EXT-0000001: COMPLETED \(A-\w+\) since 2\d{3}-\d\d-\d\dT[\d:]+Z or earlier; last note 2\d{3}-\d\d-\d\dT[\d:]+Z: "Called the owner"; supplyline open ACME EXT-0000001$/,
  );
});

test("without a journal and for a supply point the line has the rest", async () => {
  const account = { kind: "account", supplier: "ACME", account: "NEVER-1" } as const;
  expect(await copiedAt(account, "NOT FOUND")).toMatch(
    /^ACME NEVER-1: .*404.* since 2.*Z or earlier; supplyline open ACME NEVER-1$/,
  );
  const point = { kind: "supply-point", supplier: "ACME", identifier: "SP-ERRORED" } as const;
  expect(await copiedAt(point, "✗ ERRORED")).toMatch(
    /^ACME SP-ERRORED: ERRORED since 2.*Z; supplyline open ACME --supply-point SP-ERRORED$/,
  );
});
