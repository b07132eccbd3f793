/** A list without rows, before they are there, with some of them, or with none that can be read, says so. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../../src/session/places.ts";
import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { fakeClock, hurriedClock } from "../helpers/clock.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { observe } from "../helpers/observed.ts";
import { type Handler, openSandbox, openService, reply } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

const suppliers: Place = { kind: "suppliers" };
const of = (supplier: string, account: string | null) =>
  ({ kind: "activity", supplier, account }) as const;

let folders: Folders;
beforeEach(async () => {
  folders = await openFolders();
  await mkdir(folders.state, { recursive: true, mode: 0o700 });
});

const noRow = "There is no row here.";

describe("an empty list", () => {
  test.each<readonly [list: string, place: Place, words: string]>([
    ["suppliers", suppliers, "This profile has no suppliers yet"],
    ["gone accounts", { kind: "accounts", supplier: "DONE", tab: "gone" }, "No account is gone"],
    ["watched entries", { kind: "watch" }, "Nothing is watched yet."],
    ["runs", { kind: "runs" }, "No bulk run yet"],
    ["entries", of("ACME", null), "Nothing has been sent to ACME from this machine yet."],
    ["cohorts", { kind: "cohorts" }, "No cohort yet."],
    ["changes", { kind: "changes", supplier: "ACME" }, "No change of ACME was observed yet."],
    ["numbers", { kind: "find", text: "1" }, "This profile has no supplier to search."],
    ["commands", { kind: "command-log" }, "Nothing was asked or sent yet."],
  ])("of %s says so, and each key of a list says why it does nothing", async (_, place, words) => {
    const service = await openSandbox({ accounts: 20 });
    const { screen } = await openConsoleAt({ service, folders, places: [suppliers, place] });
    await screen.waitFor(words);
    for (const key of ["enter", "/", ">", "R", "space", "+", "y", "Y", "E"] as const) {
      await screen.press(key).until(noRow);
      await screen.press("?").until("Keys on");
      await screen.press("esc").untilGone("Keys on");
      await screen.waitFor((text) => !text.includes(noRow), { describe: "gone" });
    }
  });
});

test("an empty list of accounts says which accounts there are none of", async () => {
  const service = await openService((_, response) => reply(response, 200, []));
  const opened = await openConsoleAt({
    service: { ...service, apiKey: "key" },
    folders,
    env: { SUPPLYLINE_TOKEN: "token" },
    places: [suppliers, { kind: "accounts", supplier: "ACME", tab: "pending" }],
  });
  await opened.screen.waitFor("The service lists no pending accounts for this supplier.");
  await opened.screen.press("+").until(noRow);
});

const listedRow = {
  external_account_number: "E-1",
  service_account_number: null,
  account_created_at: null,
};

describe("a list that is being read", () => {
  test.each<readonly [list: string, place: Place, words: string]>([
    ["accounts", { kind: "accounts", supplier: "ACME", tab: "all" }, "Asking the service for"],
    ["suppliers", suppliers, "loading ACME…"],
  ])("of %s says what is asked for", async (_, place, words) => {
    const settings = openSettings({ configDir: folders.config });
    const service = await openService(() => {});
    settings.add(profileFrom({ name: "mine", baseUrl: service.baseUrl }));
    settings.addSupplier("mine", "ACME");
    const opened = await openConsoleAt({
      service: { ...service, apiKey: "key" },
      folders,
      profile: "mine",
      env: { SUPPLYLINE_TOKEN: "token" },
      places: [suppliers, place],
    });
    await opened.screen.waitFor(words);
  });
});

describe("what is waited for is shown with the seconds", () => {
  test("while a profile is opened", async () => {
    const clock = fakeClock();
    const service = await openService(() => {});
    const opened = await openConsoleAt({
      service: { ...service, apiKey: "key" },
      clock,
      profile: "sandbox",
      places: [suppliers],
      openSandbox: () => new Promise(() => {}),
    });
    await opened.screen.waitFor(/^Opening sandbox…$/m);
    await clock.advance(3_000);
    await opened.screen.waitFor(/^Opening sandbox… 3 s$/m);
  });

  test("while the account under the cursor is checked first", async () => {
    const clock = fakeClock();
    const service = await openService(({ path }, response) => {
      if (path.includes("import-processes")) reply(response, 200, [listedRow]);
    });
    const opened = await openConsoleAt({
      service: { ...service, apiKey: "key" },
      clock,
      cols: 80,
      rows: 24,
      env: { SUPPLYLINE_TOKEN: "token" },
      places: [suppliers, { kind: "accounts", supplier: "ACME", tab: "all" }],
    });
    await opened.screen.waitFor("1 of 1");
    await clock.advance(300);
    await opened.screen.waitFor(/── E-1 ─+ asking the service$/m);
    for (let second = 0; second < 5; second++) await clock.advance(1_000);
    await opened.screen.waitFor(/── E-1 ─+ asking the service \d s$/m);
    await opened.screen.press("l").untilGone("── E-1 ─");
  });

  test.each<readonly [screen: string, place: Place, before: RegExp, after: RegExp]>([
    [
      "accounts",
      { kind: "accounts", supplier: "ACME", tab: "all" },
      /Asking the service for the list… R/,
      /the list… 3 s\. R/,
    ],
    ["overview", { kind: "overview", supplier: "ACME" }, /of ACME…$/m, /of ACME… 3 s$/m],
    [
      "account",
      { kind: "account", supplier: "ACME", account: "EXT-1" },
      /^Asking the service…$/m,
      /^requested 3 s ago, no response yet/m,
    ],
  ])("on %s", async (_, place, before, after) => {
    const clock = fakeClock();
    const service = await openService(() => {});
    const opened = await openConsoleAt({
      service: { ...service, apiKey: "key" },
      folders,
      clock,
      env: { SUPPLYLINE_TOKEN: "token" },
      places: [suppliers, place],
    });
    await opened.screen.waitFor(before);
    await clock.advance(3_000);
    await opened.screen.waitFor(after);
  });
});

describe("a failure is shown with its cause first, then when it is tried again", () => {
  test.each<readonly [screen: string, place: Place, next: RegExp]>([
    ["accounts", { kind: "accounts", supplier: "ACME", tab: "all" }, /^r tries again now\./m],
    ["overview", { kind: "overview", supplier: "ACME" }, /^r asks again/m],
    [
      "account",
      { kind: "account", supplier: "ACME", account: "EXT-1" },
      /^not checked yet; next try in (a few|\d)/m,
    ],
  ])("on %s", async (_, place, next) => {
    const service = await openService((_, response) => reply(response, 503, {}));
    const opened = await openConsoleAt({
      service: { ...service, apiKey: "key" },
      folders,
      clock: hurriedClock(),
      env: { SUPPLYLINE_TOKEN: "token" },
      places: [suppliers, place],
    });
    const text = await opened.screen.waitFor(/next try in /);
    expect(text.indexOf("503")).toBeGreaterThan(0);
    expect(text.search(next)).toBeGreaterThan(text.indexOf("503"));
    expect(text.indexOf("next try in ")).toBeGreaterThan(text.indexOf("503"));
    if (place.kind !== "account") expect(text).not.toMatch(/not known yet[\s\S]*503/);
  });
});

describe("a list that cannot be read", () => {
  test.each<readonly [list: string, place: Place, words: string]>([
    ["runs", { kind: "runs" }, "journal.sqlite"],
    ["rows of a run", { kind: "run", id: "abc123" }, "journal.sqlite"],
    ["entries", of("ACME", null), "journal.sqlite"],
    [
      "rows of a cause",
      { kind: "cause", run: null, supplier: null, account: null, cause: "x" },
      "journal.sqlite",
    ],
    ["changes", { kind: "changes", supplier: "ACME" }, "The changes of ACME cannot be read"],
    ["cohorts", { kind: "cohorts" }, "state.sqlite"],
  ])("of %s says why", async (_, place, words) => {
    for (const name of ["journal.sqlite", "observations.sqlite", "state.sqlite"])
      await writeFile(join(folders.state, name), "no database ".repeat(400), { mode: 0o600 });
    const service = await openSandbox({ accounts: 20 });
    const opened = await openConsoleAt({ service, folders, places: [suppliers, place] });
    await opened.screen.waitFor(words);
    // Of several notices the first is numbered, too, with a colon.
    const hasRows = (text: string) => /^\d+ of \d+(?![\d:])/m.test(text);
    await opened.screen.waitFor((text) => !hasRows(text), { describe: "no rows" });
  });

  test("of accounts says why", async () => {
    const service = await openService((_, response) => reply(response, 400, {}));
    const opened = await openConsoleAt({
      service: { ...service, apiKey: "key" },
      folders,
      env: { SUPPLYLINE_TOKEN: "token" },
      places: [suppliers, { kind: "accounts", supplier: "ACME", tab: "all" }],
    });
    await opened.screen.waitFor("number of accounts not known");
    expect(opened.screen.text()).toContain("400");
  });
});

describe("a list of which something is missing", () => {
  test("of changes shows what is stored, and why the new list is not there", async () => {
    const service = await openSandbox({ accounts: 20 });
    await observe(folders, service.baseUrl, "OLD", [[["OLD-1"]], [["OLD-1", "A-1"], ["OLD-2"]]]);
    const opened = await openConsoleAt({
      service,
      folders,
      places: [suppliers, { kind: "changes", supplier: "OLD" }],
    });
    await opened.screen.waitFor("1 of 2");
    await opened.screen.waitFor("404");
  });

  test("of numbers names the supplier that could not be asked", async () => {
    const refuse: Handler = (_, response) => reply(response, 400, {});
    const service = await openService(refuse);
    const settings = openSettings({ configDir: folders.config });
    settings.add(profileFrom({ name: "mine", baseUrl: service.baseUrl }));
    settings.addSupplier("mine", "ACME");
    const opened = await openConsoleAt({
      service: { ...service, apiKey: "key" },
      folders,
      profile: "mine",
      env: { SUPPLYLINE_TOKEN: "token" },
      places: [suppliers, { kind: "find", text: "EXT-1" }],
    });
    await opened.screen.waitFor("1 of 1");
    await opened.screen.act("review").until("did not answer");
    await opened.screen.waitFor("Searching ACME");
  });
});
