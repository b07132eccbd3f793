import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { recordRequests } from "../../src/bulk/record.ts";
import { createRun } from "../../src/bulk/runs.ts";
import { noteRequest, openBulk, streamed } from "../bulk/bulking.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

/** The service's time, which the clock of the machine is 77 hours ahead of. */
const serviceNow = () => Date.now() - 77 * 3_600_000;

test("the rows of a run have the state that the list in memory gives their accounts", async () => {
  const asked: string[] = [];
  const service = await openService(({ path }, response) => {
    response.setHeader("date", new Date(serviceNow()).toUTCString());
    if (!path.includes("import-processes")) asked.push(path);
    return reply(response, 200, [
      { external_account_number: "E-1", service_account_number: null, account_created_at: null },
      {
        external_account_number: "E-2",
        service_account_number: "A-2",
        account_created_at: new Date(serviceNow() - 600_000).toISOString(),
      },
    ]);
  });
  const folders = await openFolders();
  const { context, close } = await openBulk({ folder: folders.state, baseUrl: service.baseUrl });
  const run = await createRun(context, {
    kind: "notes",
    source: "console",
    sha256: "",
    results: null,
    reading: {},
    rows: 3,
    requests: 3,
  });
  const requests = [1, 2, 3].map((line) => noteRequest(line, `note ${line}`, `E-${line}`));
  await recordRequests(context, run, streamed(requests), { signal: new AbortController().signal });
  await close();
  const { screen, app } = await openConsoleAt({
    folders,
    cols: 120,
    rows: 30,
    service: { baseUrl: service.baseUrl, apiKey: "key-1" },
    places: [{ kind: "suppliers" }, { kind: "overview", supplier: "ACME" }],
  });
  await screen.waitFor("1 of 2 imported");
  app.navigation.push({ kind: "run", id: run });
  await screen.waitFor(/Now[\s\S]*E-1 .*○ pending/);
  expect(screen.text()).toMatch(/E-2 .*✓ imported/);
  expect(screen.text()).toMatch(/E-3 .*– on no list/);
  // An age by the clock of the machine would be days.
  expect(screen.text()).not.toMatch(/pending ≥/);
  expect(asked).toEqual([]);
});

test("a rejected row whose account is imported now can be sent again", async () => {
  const isListed = new Set(["E-1"]);
  const service = await openService(({ path }, response) => {
    if (path.includes("account-transfer-status"))
      return reply(response, 200, { status: "COMPLETED", service_account_number: "A-E-2" });
    if (path.includes("notes"))
      return reply(response, 404, { code: "not_found", detail: "No imported account." });
    const rows = ["E-1", "E-2"].map((number) => ({
      external_account_number: number,
      service_account_number: isListed.has(number) ? `A-${number}` : null,
      account_created_at: isListed.has(number) ? "2026-01-02T03:04:05Z" : null,
    }));
    return reply(response, 200, rows);
  });
  const folders = await openFolders();
  await mkdir(folders.home, { recursive: true });
  const file = join(folders.home, "notes.csv");
  const head = "import_supplier,external_account_number,body";
  await writeFile(file, `${head}\nACME,E-1,Hello\nACME,E-2,Hello\n`);
  const { stderr } = await runCommand(["bulk", "run", "notes", "--from", file, "--yes"], {
    folders,
    env: service.env,
  });
  const [, run = ""] = /run (\S+)/.exec(stderr) ?? [];
  const { screen, app } = await openConsoleAt({
    folders,
    cols: 120,
    rows: 30,
    service: { baseUrl: service.baseUrl, apiKey: "key-1" },
    places: [{ kind: "suppliers" }, { kind: "overview", supplier: "ACME" }],
  });
  await screen.waitFor("1 of 2 imported");
  app.navigation.push({ kind: "run", id: run });
  await screen.waitFor("1 is imported now and can be sent again");
  await screen.waitFor(/^▌ +\d+ +ACME +E-1 .*✓ imported/m);
  await screen.press("u").until("The same bytes are sent again");
  await screen.press("esc").until("1 is imported now");
  await screen.press("j").until(/^▌ +\d+ +ACME +E-2 .*○ pending/m);
  await screen.press("u").until("now imported row is sent again");
  // A newer check is true now, and not the list.
  app.navigation.push({ kind: "account", supplier: "ACME", account: "E-2" });
  await screen.waitFor("✓ COMPLETED");
  await screen.press("esc").until(/^▌ +\d+ +ACME +E-2 .*✓ COMPLETED/m);
  await screen.press("u").until("The same bytes are sent again");
});
