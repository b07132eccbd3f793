import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { partWords } from "../../src/components/created-chart.tsx";
import { shownZone } from "../../src/text/dates.ts";
import { fakeClock, passing } from "../helpers/clock.ts";
import { openSandbox, reply } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";
import { openConsoleAt } from "./opened-console.tsx";

const accounts = [
  { kind: "suppliers" },
  { kind: "overview", supplier: "ACME" },
  { kind: "accounts", supplier: "ACME", tab: "all" },
] as const;

async function sandboxOf(count: number) {
  const sandbox = await openSandbox({ accounts: count });
  return sandbox;
}

test("a list beyond the memory cap says how many of how many it keeps, at any width", async () => {
  const service = await sandboxOf(1000);
  for (const [cols, rows] of [
    [100, 30],
    [60, 15],
  ] as const) {
    await using opened = await openConsoleAt({
      service,
      places: accounts,
      maxListBytes: 60_000,
      cols,
      rows,
    });
    const { screen } = opened;
    await screen.waitFor("of 1,000");
    const [, kept = ""] = /1 of (\d+) {2}memory cap: first \1 of 1,000/.exec(screen.text()) ?? [];
    expect(Number(kept)).toBeGreaterThan(100);
    expect(Number(kept)).toBeLessThan(1000);
    await screen.press("/").until("keep filter");
    await screen
      .send("ext:00000")
      .until(new RegExp(`row 1 {2}\\d+ of \\d+ match {2}memory cap: first ${kept} of 1,000`));
  }
});

test("what is written of such a list says that it is not all", async () => {
  const service = await sandboxOf(1000);
  const opened = await openConsoleAt({ service, places: accounts, maxListBytes: 60_000 });
  await opened.screen.waitFor("memory cap");
  await opened.screen.press("E").until(/Accounts\s+beyond\s+the\s+memory\s+cap\s+are\s+left\s+out/);
});

test("the overview counts all accounts, stored or not, and shows no rate for them", async () => {
  const service = await sandboxOf(1000);
  const opened = await openConsoleAt({
    service,
    places: accounts.slice(0, 2),
    maxListBytes: 60_000,
  });
  const text = await opened.screen.waitFor("of 1,000 imported");
  expect(text).toMatch(/memory cap: first \d+ of 1,000/);
  expect(text).toContain("not known: not all accounts are stored");
});

test("the overview counts all accounts, whatever the list of them is filtered by", async () => {
  const service = await sandboxOf(120);
  const { screen } = await openConsoleAt({ service, places: accounts });
  await screen.waitFor("1 of 120");
  await screen.press("/").until("keep filter");
  await screen.send("0000007").until(/\b1 of \d+ match/);
  await screen.press("enter").untilGone("keep filter");
  const text = await screen.palette("ACME").until("Newest");
  expect(text).toMatch(/^120 accounts {2}loaded/m);
});

test("imported accounts whose number is not said are not shown as pending", async () => {
  const { at } = await world({
    service: (_request, response) =>
      reply(
        response,
        200,
        '[{"external_account_number":"EXT-1"},{"external_account_number":"EXT-2"}]',
      ),
  });
  const opened = await at([
    ...accounts.slice(0, 2),
    { kind: "accounts", supplier: "ACME", tab: "imported" },
  ]);
  const text = await opened.screen.waitFor("EXT-2");
  expect(text).toMatch(/EXT-1 +✓ imported .*not said/);
  expect(text).not.toContain("pending ");
  opened.screen.press("v");
  expect(await opened.screen.waitFor("Raw: EXT-1")).toContain('"EXT-1"');
});

test("a row whose further fields could not be kept says so in its raw view", async () => {
  const more = "x".repeat(1024 * 1024);
  const body = JSON.stringify(
    Array.from({ length: 10 }, (_, at) => ({ external_account_number: `EXT-${at}`, more })),
  );
  const { at } = await world({ service: (_request, response) => reply(response, 200, body) });
  const opened = await at(accounts);
  await opened.screen.waitFor("1 of 10");
  await opened.screen.press("G").until("10 of 10");
  const text = await opened.screen.press("v").until("Raw: EXT-9");
  expect(text).toContain("This row has more fields than shown");
});

test("a long list is written while keys are answered, and Ctrl-C leaves no file", async () => {
  const service = await sandboxOf(30_000);
  const { screen, home } = await openConsoleAt({ service, places: accounts });
  await screen.waitFor(/1 of 30,000 +loaded/);
  const before = await readdir(home);
  const exportTo = async (name: string) => {
    await screen.press("E").until("exactly as filtered and sorted");
    await screen.press("ctrl-u").untilGone("ACME-all.csv");
    await screen.paste(join(home, name)).until(name);
    screen.press("enter");
  };
  await exportTo("given-up.jsonl");
  await screen.waitFor("Writing 30,000 rows");
  await screen.press("j").until("2 of 30,000");
  await screen.press("ctrl-c").until("given-up.jsonl was not written");
  expect(await readdir(home)).toEqual(before);
  await exportTo("whole.jsonl");
  await screen.waitFor("30,000 rows written");
  const lines = (await readFile(join(home, "whole.jsonl"), "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(30_000);
  expect(JSON.parse(lines[29_999] ?? "")).toMatchObject({ external_account_number: "EXT-0030000" });
});

test("an account listed twice has two rows, and the cursor passes over both", async () => {
  const twice = ["EXT-1", "EXT-2", "EXT-2", "EXT-3"].map((external_account_number) => ({
    external_account_number,
  }));
  const { at } = await world({ service: (_request, response) => reply(response, 200, twice) });
  const { screen } = await at(accounts);
  await screen.waitFor("1 of 4");
  expect(screen.text().match(/EXT-2/g)).toHaveLength(2);
  await screen.press("j", "j").until("3 of 4");
  expect(screen.text().match(/▌/g)).toHaveLength(1);
  await screen.press("j").until("4 of 4");
});

test("rows are seen while the service makes a pause", async () => {
  const { at } = await world({
    service: (_request, response) => {
      const rows = Array.from(
        { length: 30 },
        (_, at) => `{"external_account_number":"EXT-${at}"},`,
      );
      response.write(`[${rows.join("")}`);
      response.write('{"external_account_number":"EXT-LAST"},{"external_acc');
    },
  });
  const opened = await at(accounts, { rows: 50 });
  const text = await opened.screen.waitFor("EXT-LAST");
  expect(text).toContain("31 rows");
});

test("a rate-limited list shows a countdown at every width", async () => {
  for (const [cols, rows, words] of [
    [100, 30, /asked to wait [0-9]+ s/],
    [60, 15, /429 [0-9]+ s/],
  ] as const) {
    const sandbox = await openSandbox({ accounts: 10, faults: ["429=40s@all"] });
    await using opened = await openConsoleAt({ service: sandbox, places: accounts, cols, rows });
    await opened.screen.waitFor(words);
  }
});

test("the overview shows neither a rate nor a finish for a first list that is cut off", async () => {
  const { at } = await world({
    service: (_request, response) => {
      const created = new Date().toISOString();
      const rows = Array.from({ length: 400 }, (_, at) => ({
        external_account_number: `EXT-${at}`,
        service_account_number: at % 2 === 0 ? `A-${at}` : null,
        account_created_at: at % 2 === 0 ? created : null,
      }));
      response.end(JSON.stringify(rows).slice(0, -40));
    },
  });
  const { screen } = await at(accounts.slice(0, 2));
  await screen.waitFor("199 pending so far");
  await screen.waitFor("The body is cut off");
  expect(screen.text()).toContain("rates and finish: known when all accounts are loaded");
  for (const title of ["Imported per minute", "Newest"])
    expect(screen.text()).toContain(`${title}${partWords}`);
});

test("a compressed list that is cut off shows its rows, and that it is not the whole list", async () => {
  const rows = [{ external_account_number: "EXT-7", service_account_number: null }];
  const { at } = await world({
    service: (_request, response) => {
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync(JSON.stringify(rows)).subarray(0, -1));
    },
  });
  const opened = await at(accounts);
  await opened.screen.waitFor("was cut short");
  expect(opened.screen.text()).toContain("EXT-7");
});

test.each([
  [80, 24],
  [60, 15],
])(
  "a list that failed to load claims no number, at %i×%i, and says what to do",
  async (cols, rows) => {
    const { at } = await world({ service: { accounts: 20, faults: ["500@reads"] } });
    const clock = fakeClock(Date.now());
    const opened = await at(accounts, { cols, rows, clock });
    const text = await passing(clock, opened.screen.waitFor("number of accounts not known"));
    expect(text).not.toContain("0 of 0");
    expect(text).toMatch(/\[All\] +Pending +Imported/);
    expect(text.replace(/\s+/g, " ")).toContain("report it to the platform operator");
  },
);

test.each([
  [80, 24],
  [60, 15],
])("a reload that fails leaves bar, legend and tabs as they were, at %i×%i", async (cols, rows) => {
  const { service: sandbox, at } = await world({ service: { accounts: 120 } });
  const clock = fakeClock(Date.now());
  const { screen } = await at(accounts, { cols, rows, clock });
  await screen.waitFor("1 of 120");
  sandbox.setFaults(["500@reads"]);
  const list = await passing(clock, screen.press("r").until("last load failed"));
  expect(list).toMatch(/\[All \d+\] +Pending \d+ +Imported \d+/);
  expect(list.replace(/\s+/g, " ")).toContain("report it to the platform operator");
  const overview = await screen.press("esc").until("of 120 imported");
  expect(overview).toMatch(/^\d+ of 120 imported {2}\S+ {2}\d+\.\d %$/m);
  expect(overview).toContain("last load failed");
});

test("times follow the zone chosen in the palette, and a filter finds what is shown", async () => {
  const { at } = await world({ service: { accounts: 120 } });
  const before = process.env.TZ;
  process.env.TZ = "America/New_York";
  onTestFinished(() => {
    shownZone.set("local");
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  const { screen } = await at(accounts);
  await screen.waitFor("1 of 120");
  const shown = (text: string) => /imported +(\d{4}-\d\d-\d\d \d\d:\d\d) +A-/.exec(text)?.[1] ?? "";
  const local = shown(await screen.waitFor(/imported .* A-/));
  expect(screen.text()).toMatch(/^Suppliers.*UTC-[45]/);
  await screen.press("/").until("keep filter");
  await screen.send(local.replace(" ", " ")).until(/ match\b/);
  await screen.press("enter").untilGone("keep filter");
  await screen.palette("utc").until("Times are in UTC.");
  expect(screen.text()).toMatch(/^Suppliers.*UTC\s*$/m);
  // The text that was filtered for is not shown any more.
  await screen.waitFor(/No account matches|0 of 120 match/);
  screen.press("esc");
  const utc = shown(await screen.waitFor(/imported .* A-/));
  expect(Date.parse(`${utc.replace(" ", "T")}Z`)).toBe(new Date(local.replace(" ", "T")).getTime());
});

test("a supplier without imported accounts has no empty chart and no empty list of the newest", async () => {
  const rows = [
    { external_account_number: "EXT-1", service_account_number: null, account_created_at: null },
  ];
  const { at } = await world({ service: (_request, response) => reply(response, 200, rows) });
  const opened = await at(accounts.slice(0, 2));
  const text = await opened.screen.waitFor("0 of 1 imported");
  expect(text).toContain("No chart: nothing is imported yet.");
  expect(text).not.toContain("Newest");
});

test.each([
  ["is empty", 200, "The service lists no accounts for ACME."],
  ["does not exist", 404, "The service has no list of ACME."],
  ["cannot be had", 403, "The accounts of ACME are not known yet."],
] as const)("a list that %s has words of its own, and what to do", async (_what, status, words) => {
  const { at } = await world({
    service: (_request, response) => {
      reply(response, status, status === 200 ? [] : {});
    },
  });
  const opened = await at(accounts.slice(0, 2));
  await opened.screen.waitFor(words);
  await opened.screen.waitFor("r asks again; o opens an account, i a supply point, by its number.");
});

test("60 columns name the columns of a list by shorter words instead of cutting them", async () => {
  const rows = [
    { external_account_number: "EXT-1", service_account_number: null, account_created_at: null },
  ];
  const { at } = await world({ service: (_request, response) => reply(response, 200, rows) });
  const { screen } = await at(accounts, { cols: 60, rows: 15 });
  await screen.waitFor(/^ +External account +Status +Since +Service acct$/m);
  screen.resize(80, 24);
  await screen.waitFor(/^ +External account +Status +Since +Service account$/m);
});

test("the palette of 60 columns has room for why an action cannot be done", async () => {
  const { at } = await world({ service: (_request, response) => reply(response, 200, "[]") });
  const places = [{ kind: "suppliers" }] as const;
  const { screen } = await at(places, { cols: 60, rows: 15 });
  await screen.waitFor("go/do");
  await screen.openPalette("last place").until("There is no earlier place.");
});

test("Tab takes the filter and the order along to the other list", async () => {
  const service = await sandboxOf(300);
  const { screen } = await openConsoleAt({ service, places: accounts });
  await screen.waitFor("EXT-0000001");
  screen.press("/");
  screen.send("EXT-000000");
  await screen.press("enter").until(/ 9 of \d+ match/);
  screen.press(">");
  await screen.press("R").until("reversed");
  await screen.press("tab").until("[Pending");
  await screen.waitFor(/\d of \d+ match.*loaded/s);
  const shown = (text: string) => [...text.matchAll(/EXT-\d{7}/g)].map(([number]) => number);
  // A list is sorted in slices.
  const text = await screen.waitFor((now) => (shown(now)[0] ?? "") > (shown(now)[1] ?? ""), {
    describe: "the order",
  });
  const numbers = shown(text);
  expect(numbers.length).toBeGreaterThan(1);
  expect(numbers).toEqual(numbers.toSorted().toReversed());
  for (const number of numbers) expect(number).toContain("EXT-000000");
});
