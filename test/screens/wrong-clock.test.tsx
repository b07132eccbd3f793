import type { Place } from "../../src/session/places.ts";
import { openFolders } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

const suppliers: Place = { kind: "suppliers" };
const overview: Place = { kind: "overview", supplier: "ACME" };

const hour = 3_600_000;

/** The service's time, which the clock of the machine is 77 hours ahead of. */
const serviceNow = () => Date.now() - 77 * hour;

/** A console of a service that imported E-2 more than ten minutes ago. */
async function openAhead(places: readonly Place[]) {
  const importedAt = new Date(serviceNow() - 10.5 * 60_000).toISOString();
  const service = await openService((request, response) => {
    response.setHeader("date", new Date(serviceNow()).toUTCString());
    if (request.path.includes("/account-transfer-status/"))
      return reply(response, 200, { status: "UNKNOWN", service_account_number: "" });
    return reply(response, 200, [
      { external_account_number: "E-1", service_account_number: null, account_created_at: null },
      {
        external_account_number: "E-2",
        service_account_number: "A-2",
        account_created_at: importedAt,
      },
    ]);
  });
  const folders = await openFolders();
  const opened = await openConsoleAt({
    folders,
    places,
    cols: 120,
    rows: 30,
    service: { baseUrl: service.baseUrl, apiKey: "key-1" },
  });
  return opened.screen;
}

test("the overview counts ages by the service's clock when this machine's is days ahead", async () => {
  const screen = await openAhead([suppliers, overview]);
  await screen.waitFor(/E-2 +A-2 .* 1\d min ago/);
  await screen.waitFor("1 of 2 imported");
  expect(screen.text()).not.toMatch(/\b3 d\b/);
});

test("a list counts how long an account is pending by the service's clock", async () => {
  const screen = await openAhead([
    suppliers,
    overview,
    { kind: "accounts", supplier: "ACME", tab: "all" },
  ]);
  await screen.waitFor(/E-1 +○ pending +(just seen|≥ \d+ s)/);
  await screen.send("/age:<1h").until(/age:<1h[\s\S]*E-1 +○ pending[\s\S]*1 of 2 match/);
});

test("an account shows when it was first checked by the service's clock", async () => {
  const screen = await openAhead([
    suppliers,
    overview,
    { kind: "account", supplier: "ACME", account: "E-1" },
  ]);
  await screen.waitFor(/UNKNOWN for at least a few seconds/);
  const time = new Date(serviceNow()).toISOString().slice(11, 15);
  await screen.waitFor(new RegExp(`Observed +${time}\\d:\\d\\d `));
});
