import type { ServerResponse } from "node:http";
import { openFolders } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";
import { openReview } from "./reviewing.tsx";

/** A service that answers notes when the test does, and a note that waits for its answer. */
async function openSending() {
  const asked = Promise.withResolvers<ServerResponse>();
  const service = await openService((request, response) => {
    if (request.method === "POST") asked.resolve(response);
    else reply(response, 200, { status: "COMPLETED", service_account_number: "A-1" });
  });
  const folders = await openFolders();
  const at = { baseUrl: service.baseUrl, apiKey: "key-1" };
  const review = await openReview({
    service: at,
    folders,
    kind: "notes",
    values: { notes: [{ body: "On its way" }] },
  });
  const { screen } = review;
  await screen.waitFor("s send now");
  screen.act("send");
  const response = await asked.promise;
  await screen.press("esc").until("Entry 1 is still being sent");
  const reopen = async () => {
    await review[Symbol.asyncDispose]();
    const opened = await openConsoleAt({
      service: at,
      folders,
      places: [{ kind: "suppliers" }, { kind: "activity", supplier: null, account: null }],
    });
    return opened.screen;
  };
  return { screen, response, reopen };
}

test("leaving asks first while something is being sent, and No stays", async () => {
  const { screen, response } = await openSending();
  const asked = await screen.press("q").until("1 entry is being sent. Stop and leave?");
  expect(asked).toMatch(/supplyline\s+activity verify 1 finds it out/);
  await screen.press("esc").untilGone("Stop and leave?");
  reply(response, 201, [{ body: "On its way", status: "NOTE_CREATION_SUCCESS" }]);
  await screen.press("A").until(/notes .*✓ confirmed/);
});

test("leaving waits for the answer to what is in flight, and records it", async () => {
  const { screen, response, reopen } = await openSending();
  await screen.press("q").until("1 entry is being sent. Stop and leave?");
  screen.press("down");
  await screen.press("enter").until("Stopping: waiting for requests in flight…");
  reply(response, 201, [{ body: "On its way", status: "NOTE_CREATION_SUCCESS" }]);
  await screen.exit;
  const again = await reopen();
  await again.waitFor(/notes .*✓ confirmed/);
});
