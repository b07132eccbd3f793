import { expect, test } from "vitest";
import { recordRequests } from "../../src/bulk/record.ts";
import { createRun } from "../../src/bulk/runs.ts";
import { noteRequest, openBulk, streamed } from "../bulk/bulking.ts";
import { openFolders } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

/** The service's time, which the clock of the machine is 77 hours ahead of. */
const serviceNow = () => Date.now() - 77 * 3_600_000;

test("the rows of a run have the state that the list in memory gives their accounts", async () => {
  const asked: string[] = [];
  await using service = await openService(({ path }, response) => {
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
  await using folders = await openFolders();
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
  await using opened = await openConsoleAt({
    folders,
    cols: 120,
    rows: 30,
    service: { baseUrl: service.baseUrl, apiKey: "key-1" },
    places: [{ kind: "suppliers" }, { kind: "overview", supplier: "ACME" }],
  });
  const { screen, app } = opened;
  await screen.waitFor("1 of 2 imported");
  app.navigation.push({ kind: "run", id: run });
  await screen.waitFor(/Now[\s\S]*E-1 .*○ pending/);
  expect(screen.text()).toMatch(/E-2 .*✓ imported/);
  expect(screen.text()).toMatch(/E-3 .*– on no list/);
  // An age by the clock of the machine would be days.
  expect(screen.text()).not.toMatch(/pending ≥/);
  expect(asked).toEqual([]);
});
