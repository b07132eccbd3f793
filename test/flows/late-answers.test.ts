import type { ServerResponse } from "node:http";
import { openConsole } from "../helpers/console.ts";
import { openService, reply } from "../helpers/service.ts";

test("an answer that comes after its screen was left does not show on the next one", async () => {
  let late: ServerResponse | null = null;
  let number = "A-NOW";
  const asked = Promise.withResolvers<void>();
  const { baseUrl } = await openService((request, response) => {
    if (request.path.includes("-import-processes/")) return reply(response, 200, []);
    if (request.path.includes("EXT-SLOW")) {
      late ??= response;
      return asked.resolve();
    }
    reply(response, 200, { status: "IN_PROGRESS", service_account_number: number });
  });
  const terminal = await openConsole(["open", "ACME", "EXT-SLOW"], {
    env: { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_TOKEN: "token-12345678" },
    cols: 120,
  });
  await asked.promise;
  await terminal.waitFor("EXT-SLOW");
  await terminal.press("esc").untilGone("EXT-SLOW");
  await terminal.press("o").until("Open an account of ACME");
  await terminal.send("EXT-NOW").until("EXT-NOW");
  await terminal.press("enter").until("IN_PROGRESS");
  // The connection of the canceled request is closed; no one reads what comes on it.
  if (late) reply(late, 200, { status: "COMPLETED", service_account_number: "A-LATE" });
  number = "A-NEXT";
  await terminal.press("r").until("A-NEXT");
  expect(terminal.bytes()).toContain("A-NOW");
  expect(terminal.bytes()).not.toContain("A-LATE");
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});
