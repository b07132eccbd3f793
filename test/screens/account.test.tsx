import type { ServerResponse } from "node:http";
import { ServiceError } from "../../src/api/errors.ts";
import { refusedWords } from "../../src/components/checked-status.tsx";
import type { ActionId } from "../../src/keys/bindings.ts";
import { defaultKeymap, keyWord } from "../../src/keys/keymap.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { fakeClock, fastClock } from "../helpers/clock.ts";
import { eventually } from "../helpers/eventually.ts";
import { completed, moving, openService, reply } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";
import { openConsoleAt } from "./opened-console.tsx";

const account = [
  { kind: "suppliers" },
  { kind: "account", supplier: "ACME", account: "EXT-0000001" },
] as const;

test("on a small terminal the footer names what can be done before what cannot", async () => {
  const { at } = await world({ service: () => {} });
  const opened = await at([{ kind: "suppliers" }, { kind: "overview", supplier: "ACME" }], {
    cols: 60,
    rows: 15,
  });
  // The list is being loaded: r could do nothing.
  await opened.screen.waitFor(
    /^Enter accounts {2}Esc back {2}z pause {2}.*: go\/do {2}\? help {2}q quit$/m,
  );
});

test.each([
  [60, /^Esc back {2}n note {2}w watch {2}.*: go\/do {2}\? help {2}q quit$/m],
  [80, /^Esc back {2}n note {2}w watch {2}Y hand-over {2}r refresh {2}: go\/do/m],
] as const)("at %i columns an account's keys that act come first", async (cols, keys) => {
  const { at } = await world({ service: (_request, response) => reply(response, 200, completed) });
  const [suppliers, itself] = account;
  const list = { kind: "accounts", supplier: "ACME", tab: "all" } as const;
  const places = [suppliers, list, itself];
  const opened = await at(places, { cols, rows: 15 });
  await opened.screen.waitFor("COMPLETED");
  await opened.screen.waitFor(keys);
});

test("nothing is claimed of the service account while the service has not answered", async () => {
  const { at } = await world({ service: () => {} });
  const opened = await at(account, { clock: fastClock() });
  const asked = await opened.screen.waitFor(/requested \d+ s ago, no response yet; Ctrl-C cancels/);
  expect(asked).not.toContain("Service account");
  expect(asked).not.toContain("none yet");
});

test.each([
  [401, { detail: "no" }, "did not accept the token"],
  [404, { detail: "Not found." }, "NOT FOUND (404)"],
  [500, {}, "could not answer"],
] as const)("nothing is claimed of the service account after a %i", async (status, body, words) => {
  const { at } = await world({ service: (_request, response) => reply(response, status, body) });
  const opened = await at(account);
  const text = await opened.screen.waitFor(words);
  expect(text).not.toContain("Service account");
  expect(text).not.toContain("none yet");
});

test("credentials that were refused are not tried again until someone resumes", async () => {
  let checks = 0;
  const { folders, at } = await world({
    service: (_request, response) => {
      checks++;
      reply(response, 401, { detail: "no" });
    },
  });
  openSettings({ configDir: folders.config }).setPreferences({ pollIntervalMs: 1_000 });
  const { screen } = await at(account);
  const text = await screen.waitFor("Checking is paused");
  expect(text.replace(/\s+/g, " ")).toContain("SUPPLYLINE_API_KEY");
  expect(text).toContain("z resumes.");
  const before = checks;
  // Resuming asks again, and pauses again.
  screen.press("z");
  await eventually(() => expect(checks).toBeGreaterThan(before));
  await screen.waitFor("Checking is paused");
});

test("checks that are paused before the first one do not deny an earlier check", async () => {
  let isRefused = false;
  const { at, run } = await world({
    service: (_request, response) =>
      isRefused ? reply(response, 401, { detail: "no" }) : reply(response, 200, moving),
  });
  expect((await run("accounts status ACME EXT-0000001")).code).toBe(0);
  isRefused = true;
  const { screen } = await at(account);
  await screen.waitFor("paused, not checked since; z resumes");
});

test("where a profile holds the credentials that were refused, the keys that correct them are named", () => {
  const key = (id: ActionId) => keyWord(id, defaultKeymap);
  const error = new ServiceError("unauthorized", "no", { httpStatus: 401 });
  expect(refusedWords(error, { doing: "reading" }, key)).toBe(
    "Checking is paused. Correct the login: P, then e on the profile. z resumes.",
  );
});

test("an account that is completed says since when it exists, once the list knows, and that it is final", async () => {
  const created = new Date(Date.now() - 68 * 3_600_000).toISOString();
  const { at } = await world({
    service: ({ path }, response) => {
      const row = {
        external_account_number: "EXT-0000001",
        service_account_number: "A-1",
        account_created_at: created,
      };
      const status = { status: "COMPLETED", service_account_number: "A-1" };
      reply(response, 200, path.includes("import-processes") ? [row] : status);
    },
  });
  const { screen } = await at([
    { kind: "suppliers" },
    { kind: "overview", supplier: "ACME" },
    { kind: "accounts", supplier: "ACME", tab: "all" },
  ]);
  await screen.waitFor("EXT-0000001");
  const text = await screen.press("enter").until("final, checked");
  expect(text).toMatch(/COMPLETED, created 2 d 20 h ago/);
  expect(text).not.toMatch(/final, checked .*every/);
  expect(text).toMatch(/Listed +imported, created/);
});

test("an account without a row says whether the list is loaded", async () => {
  const { at } = await world({
    service: ({ path }, response) => {
      const row = { external_account_number: "EXT-1", service_account_number: "A-1" };
      const list = [{ ...row, account_created_at: "2026-11-20T00:00:00Z" }];
      const status = { status: "COMPLETED", service_account_number: "A-9" };
      reply(response, 200, path.includes("import-processes") ? list : status);
    },
  });
  const { screen } = await at(account);
  await screen.waitFor(/Listed +the list is not loaded/);
  screen.press(":");
  await screen.send("accounts").until(/: accounts/);
  await screen.press("enter").until("EXT-1");
  await screen.press("esc").until(/Listed +not on the list of 20/);
});

test("a state found by the first check has held for at least that long", async () => {
  const { at } = await world({ service: (_request, response) => reply(response, 200, moving) });
  const opened = await at(account);
  const text = await opened.screen.waitFor("IN_PROGRESS for at least a few seconds");
  expect(text).toContain("checked just now, every 5 s");
});

test("the first error of a read says what to do, whole, on every size of terminal", async () => {
  const service = await openService((_request, response) =>
    reply(response, 401, { detail: "The token is not valid." }),
  );
  for (const [cols, rows] of [
    [200, 50],
    [80, 24],
    [60, 15],
  ] as const) {
    await using opened = await openConsoleAt({ service, places: account, cols, rows });
    const text = await opened.screen.waitFor("Checking is paused");
    expect(text.replace(/\s+/g, " ")).toMatch(/SUPPLYLINE_API_KEY .* z resumes\./);
  }
});

test("a check under way is named as such until its answer is there, and no longer", async () => {
  const held: ServerResponse[] = [];
  const answer = (response: ServerResponse) => reply(response, 200, moving);
  let holds = false;
  const { at } = await world({
    service: (_request, response) => {
      if (holds) held.push(response);
      else answer(response);
    },
  });
  const { screen } = await at(account, { cols: 60, rows: 15 });
  await screen.waitFor("IN_PROGRESS");
  holds = true;
  screen.press("r");
  await eventually(() => expect(held).toHaveLength(1));
  await screen.press("r").until("Checking now; Ctrl-C cancels it.");
  for (const response of held) answer(response);
  await screen.waitFor(/^(?![\s\S]*Checking now)[\s\S]*checked just now/);
  // There is no room for how often it was found again.
  expect(screen.text()).toMatch(/Observed +\d\d:\d\d:\d\d +● IN_PROGRESS +first check *│?$/m);
});

test("an unchanged account screen writes almost nothing while it is checked", async () => {
  const clock = fakeClock(Date.now());
  let checks = 0;
  const { at } = await world({
    service: (_request, response) => {
      checks++;
      reply(response, 200, moving);
    },
  });
  const { screen } = await at(account, { clock });
  await screen.waitFor("IN_PROGRESS for at least");
  const checkFor = async (minutes: number) => {
    const until = clock.now() + minutes * 60_000;
    while (clock.now() < until) {
      const before = checks;
      // The wait for the next check may begin late: time goes on until it is over.
      await eventually(async () => {
        await clock.advance(1_000);
        expect(checks).toBeGreaterThan(before);
      });
    }
  };
  await checkFor(3);
  await screen.waitFor(/for at least [23] min/);
  const before = screen.bytes().length;
  await checkFor(2);
  await screen.waitFor(/for at least [45] min/);
  expect(screen.bytes().length - before).toBeLessThan(20 * 120);
});

test("an account that is on the watch list too is asked for once for both, and watched on when it is left", async () => {
  const clock = fastClock();
  const asked: number[] = [];
  const { folders, at } = await world({
    service: ({ path }, response) => {
      if (path.includes("account-transfer-status")) asked.push(clock.now());
      reply(response, 200, path.includes("import-processes") ? [] : moving);
    },
  });
  openSettings({ configDir: folders.config }).setPreferences({ pollIntervalMs: 1_000 });
  const { screen } = await at(
    [{ kind: "suppliers" }, { kind: "account", supplier: "ACME", account: "EXT-1" }],
    { clock },
  );
  await screen.waitFor("IN_PROGRESS");
  await screen.press("w").until("Watching EXT-1");
  const since = asked.length;
  await eventually(() => expect(asked.length).toBeGreaterThan(since + 2));
  const gaps = asked.slice(1).map((at, n) => at - (asked[n] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(500);
  // This screen no longer polls it: the watch list does.
  await screen.press("W").until(/^1 of 1$/m);
  const left = asked.length;
  await eventually(() => expect(asked.length).toBeGreaterThan(left));
});

test("a question that is longer than a line is shown whole", async () => {
  const { at } = await world();
  const { screen } = await at(
    [{ kind: "suppliers" }, { kind: "account", supplier: "ACME", account: "EXT-0000003" }],
    { cols: 60, rows: 15 },
  );
  await screen.waitFor("UNKNOWN");
  await screen.press("n").until(/^EXT-0000003 is staged, .*the service would\s+answer\s+404\.$/m);
});
