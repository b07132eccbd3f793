import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { batchOf, type Row } from "../accounts/rows.ts";
import { fakeClock, hurriedClock } from "../helpers/clock.ts";
import { type CommandOptions, runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox, openService, reply, type TestSandbox } from "../helpers/service.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});

const run = (words: readonly string[], options: CommandOptions = {}) =>
  runCommand(["accounts", "status", "ACME", ...words], { env: sandbox.env, ...options });

test("one account with --json is an object with the wire's names", async () => {
  const { code, stdout, stderr } = await run(["EXT-0000001", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    import_supplier: "ACME",
    external_account_number: "EXT-0000001",
    status: "COMPLETED",
    service_account_number: expect.stringMatching(/^A-/),
  });
});

test("one account for people says what its status means", async () => {
  const { stdout } = await run(["EXT-0000004"]);
  expect(stdout).toMatch(/^Status +UNKNOWN\n +No account exists for this number/m);
});

test("several accounts come in the order given, failures in their entries alone", async () => {
  const numbers = ["EXT-0000005", "NOPE", "EXT-0000001", "EXT-0000004", "EXT-0000005"];
  const { code, stdout, stderr } = await run([...numbers, "--json"]);
  const entries = JSON.parse(stdout);
  expect({ code, stderr }).toEqual({ code: 5, stderr: "" });
  expect(entries.map((entry: Record<string, unknown>) => entry.external_account_number)).toEqual(
    numbers,
  );
  expect(entries.map((entry: Record<string, unknown>) => entry.status)).toEqual([
    "IN_PROGRESS",
    undefined,
    "COMPLETED",
    "UNKNOWN",
    "IN_PROGRESS",
  ]);
  expect(entries[1].error).toMatchObject({ kind: "not-found", http_status: 404 });
});

test("a wait that the service asks for is reported while it lasts, once for all that wait", async () => {
  const busy = await openService((_request, response, nth) => {
    if (nth > 2) return reply(response, 200, { status: "COMPLETED", service_account_number: "A" });
    response.writeHead(429, { "retry-after": "1" }).end();
  });
  const { code, stderr } = await run(["A", "B"], { env: busy.env, clock: hurriedClock() });
  expect(code).toBe(0);
  expect(stderr).toBe("supplyline: Waiting 1 s, as the service asks (429); then retrying.\n");
  expect(busy.asked()).toHaveLength(4);
});

test("the most severe of several failures decides how it ends", async () => {
  const mixed = await openService((request, response) => {
    const status = { "/A/": 404, "/B/": 403, "/C/": 400 }[request.path.slice(-3) ?? ""] ?? 200;
    reply(response, status, { status: "COMPLETED", service_account_number: "A-1" });
  });
  const { code, stdout } = await run(["A", "B", "C", "D", "--format", "jsonl"], {
    env: mixed.env,
  });
  expect(code).toBe(3);
  const kinds = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).error?.kind);
  expect(kinds).toEqual(["not-found", "forbidden", "rejected", undefined]);
});

test("answers that arrive in another order are still printed in the order given", async () => {
  const waiting: (() => void)[] = [];
  const backwards = await openService((request, response) => {
    waiting.unshift(() =>
      reply(response, 200, {
        status: `S${request.path.slice(-2, -1)}`,
        service_account_number: "",
      }),
    );
    if (waiting.length === 4) for (const answer of waiting) answer();
  });
  const { stdout } = await run(["1", "2", "3", "4", "--format", "csv"], { env: backwards.env });
  expect(stdout.split("\n").slice(1, 5)).toEqual([
    "ACME,1,S1,,",
    "ACME,2,S2,,",
    "ACME,3,S3,,",
    "ACME,4,S4,,",
  ]);
});

test.each([
  ["numbers.txt", "EXT-0000001\r\n\r\n  EXT 0000010 \n"],
  ["numbers.json", '["EXT-0000001", "EXT 0000010"]'],
  ["numbers.csv", 'name,external_account_number\nx,EXT-0000001\n"y, z",EXT 0000010\n'],
  ["numbers.csv", "\ufeffexternal_account_number;name\nEXT-0000001;x\nEXT 0000010;y\n"],
])("--from reads %s", async (name, content) => {
  const folders = await openFolders();
  const path = join(folders.home, name);
  await writeFile(path, content);
  const { code, stdout } = await run(["--from", path, "--json"], { folders });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    { external_account_number: "EXT-0000001", status: "COMPLETED" },
    { external_account_number: "EXT 0000010", status: "COMPLETED" },
  ]);
});

test("a file that holds no number is called by its own name", async () => {
  const folders = await openFolders();
  await mkdir(folders.home, { recursive: true });
  await writeFile(join(folders.home, "numbers"), "\n");
  const { code, stderr } = await run(["--from", "numbers"], { folders });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: "supplyline: --from numbers has no account number.\n",
  });
});

test("--from - reads standard input, after the numbers on the command line", async () => {
  const { stdout } = await run(["EXT-0000004", "--from", "-", "--format", "csv"], {
    input: "EXT-0000001\nEXT-日本-0000014\n",
  });
  expect(stdout.split("\n").map((line) => line.split(",")[1])).toEqual([
    "external_account_number",
    "EXT-0000004",
    "EXT-0000001",
    "EXT-日本-0000014",
    undefined,
  ]);
});

test.each<[string, string | Uint8Array, RegExp]>([
  ["nothing", "\n\n", /has no account number/],
  ["a number that leads elsewhere", "A\n..\n", /line 2: the number must not be/],
  ["broken JSON", '["A",\n "B', /line 2, column \d+.*not JSON/],
  ["numbers without quotes", "[12, 13]", /element 1.*quotes/],
  ["another encoding", new Uint8Array([0x45, 0xff, 0xfe]), /not UTF-8/],
  ["broken CSV", 'external_account_number\n"A\n', /not readable as CSV/],
  [
    "a wrong number behind quoted line ends",
    'external_account_number,note\r\nA,"x\r\ny\r\nz"\r\n\r\n,\r\n..,"q\r\nr"\r\n',
    /line 7: the number must not be/,
  ],
  [
    "a wrong number behind letters of several bytes",
    'external_account_number;note\nÄ日;"x\ny"\n..;z',
    /line 4: the number must not be/,
  ],
  [
    "broken CSV behind quoted line ends",
    'external_account_number,note\r\nA,"x\r\ny"\r\nB\r\n',
    /line 4, is not readable as CSV: This row has 1 cell, the header 2\. Add .*\n/,
  ],
  [
    "a quote that is never closed",
    'external_account_number,note\r\nA,"x\r\ny"\r\n\r\nB,"z\r\nC,\r\n',
    /line 5, is not readable as CSV: The quote that opens on line 5 is never closed\. Close .*\n/,
  ],
])("--from with %s sends nothing and ends with 2", async (_what, input, expected) => {
  const service = await openService((_request, response) => reply(response, 200, {}));
  const { code, stderr } = await run(["--from", "-"], { input, env: service.env });
  expect(stderr).toMatch(expected);
  expect({ code, asked: service.asked() }).toEqual({ code: 2, asked: [] });
});

test.each(["EXT 0000010", "EXT/0000011", "EXT%0000012", "EXT-Ωé-0000013", "EXT#?&+=0000015"])(
  "the awkward number %s reaches the service unchanged",
  async (number) => {
    const { stdout } = await run([number, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      external_account_number: number,
      status: "COMPLETED",
    });
  },
);

test("an account number with a leading dash follows --", async () => {
  const { code, stderr } = await run(["--json", "--", "-4711"]);
  expect(code).toBe(5);
  expect(JSON.parse(stderr).error.message).toContain("-4711");
});

test("a brand of the deployment's own is read, and printed as service_…", async () => {
  const branded = await openSandbox({ brand: "acme" });
  const { stdout } = await run(["EXT-0000001", "--json"], {
    env: { ...branded.env, SUPPLYLINE_BRAND: "acme" },
  });
  expect(JSON.parse(stdout).service_account_number).toMatch(/^A-/);
});

test("an unknown status is shown raw", async () => {
  const odd = await openService((_request, response) =>
    reply(response, 200, { status: "ON_HOLD", service_account_number: "", more: 1 }),
  );
  const { code, stdout } = await run(["X"], { env: odd.env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/ON_HOLD\n +Not a status that supplyline knows/);
});

test("refused credentials are not tried again for every account", async () => {
  const wrong = await openService((_request, response) => reply(response, 401, {}));
  const numbers = Array.from({ length: 40 }, (_, at) => `E-${at}`);
  const { code, stdout } = await run([...numbers, "--json"], { env: wrong.env });
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toHaveLength(40);
  expect(new Set(wrong.asked()).size).toBeLessThan(20);
});

test("a --timeout longer than one timer's maximum works", async () => {
  const { code, stdout, stderr } = await run(["EXT-0000001", "--json", "--timeout", "30d"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ status: "COMPLETED" });
});

test("CSV has the same columns for one account, for several and for failures, without advice", async () => {
  const columns = "import_supplier,external_account_number,status,service_account_number,error";
  const csv = async (...accounts: string[]) =>
    (await run([...accounts, "--format", "csv"])).stdout.trimEnd().split("\n");
  const one = await csv("EXT-0000001");
  const good = await csv("EXT-0000001", "EXT-0000004");
  const failed = await csv("EXT-0000001", "NOPE");
  expect([one[0], good[0], failed[0]]).toEqual([columns, columns, columns]);
  expect(one[1]).toMatch(/^ACME,EXT-0000001,COMPLETED,A-\w+,$/);
  expect(failed[2]).toMatch(/^ACME,NOPE,,,not-found 404/);
  expect(failed[2]?.length).toBeLessThan(160);
  expect(failed[2]).not.toMatch(/Check|supplyline/);
});

/** The sandbox's state folder after lists in which the account is pending for 40 minutes. */
async function observedFolders(states: Readonly<Record<string, string>>) {
  const folders = await openFolders();
  const clock = fakeClock("2026-01-15T09:00:00Z");
  const service = await openService(({ path }, response) => {
    const status = states[path.split("/").at(-2) ?? ""];
    if (status === undefined) return reply(response, 404, { detail: "Not found." });
    reply(response, 200, { status, service_account_number: "" });
  });
  const observations = await openObservations({
    folder: folders.state,
    origin: service.baseUrl,
    clock,
    recording: true,
  });
  const observe = async (...rows: Row[]) => {
    const recorder = observations.begin("ACME", clock.now());
    recorder.take(batchOf(rows));
    await recorder.finish();
    await clock.advance(20 * 60_000);
  };
  const quick = Array.from({ length: 20 }, (_, at) => `Q-${at}`);
  await observe(["GONE"]);
  await observe(["SLOW"], ["GONE"], ...quick.map((number): Row => [number]));
  const imported = new Date(clock.now() - 16 * 60_000).toISOString();
  await observe(["SLOW"], ["GONE"], ...quick.map((number): Row => [number, "A-1", imported]));
  await observe(["SLOW"], ...quick.map((number): Row => [number, "A-1", imported]));
  await observations.close();
  const clockNow = fakeClock(clock.now() - 15 * 60_000);
  const status = (...words: string[]) => run(words, { folders, env: service.env, clock: clockNow });
  return { status, clock: clockNow };
}

test("--verdict adds since when, if that is usual, and the other imports", async () => {
  const world = await observedFolders({ SLOW: "UNKNOWN" });
  const { stdout } = await world.status("SLOW", "--verdict", "--json");
  expect(JSON.parse(stdout)).toEqual({
    import_supplier: "ACME",
    external_account_number: "SLOW",
    status: "UNKNOWN",
    service_account_number: "",
    since: "2026-01-15T10:05:00Z",
    since_is_exact: false,
    pending_since: "2026-01-15T09:20:00Z",
    checked_at: "2026-01-15T10:05:00Z",
    verdict: "stuck",
    median_s: 240,
    supplier_imported_last_hour: 20,
    supplier_newest_at: "2026-01-15T09:24:00Z",
    supplier_stuck: 0,
  });
});

test("without --verdict JSON and CSV are those of the wire", async () => {
  const world = await observedFolders({ SLOW: "UNKNOWN" });
  const { stdout } = await world.status("SLOW", "--json");
  expect(Object.keys(JSON.parse(stdout))).toEqual([
    "import_supplier",
    "external_account_number",
    "status",
    "service_account_number",
  ]);
  const csv = await world.status("SLOW", "--format", "csv");
  expect(csv.stdout.split("\n")[0]?.split(",")).toHaveLength(5);
});

test("a table has Since and Verdict, and --columns can choose them", async () => {
  const world = await observedFolders({ SLOW: "UNKNOWN", Q: "IN_PROGRESS" });
  const { stdout } = await world.status("SLOW", "Q");
  expect(stdout.split("\n").map((line) => line.replace(/ {2,}/g, "|"))).toEqual([
    "External account number|Status|Since|Verdict|Service account number",
    "SLOW|UNKNOWN, pending|≥ 45 min|stuck (4 min usual)|-",
    "Q|IN_PROGRESS|just seen|as usual (4 min)|-",
    "",
  ]);
  const one = await world.status("SLOW");
  expect(one.stdout).toMatch(/^Verdict +stuck \(4 min usual\)\n +Only this one: ACME imported 20/m);
  const chosen = await world.status("SLOW", "--columns", "verdict,pending_since", "--json");
  expect(JSON.parse(chosen.stdout)).toEqual({
    verdict: "stuck",
    pending_since: "2026-01-15T09:20:00Z",
  });
});

test("an account that is gone has its own time, beside the 404", async () => {
  const world = await observedFolders({ SLOW: "UNKNOWN" });
  const { stdout, code } = await world.status("GONE", "SLOW", "--verdict", "--json");
  const forPeople = await world.status("GONE", "SLOW");
  expect(forPeople.stdout).toMatch(/^GONE +gone, 404 +2026-01-15T10:00:00Z /m);
  expect(code).toBe(5);
  expect(JSON.parse(stdout)[0]).toMatchObject({
    error: { kind: "not-found" },
    since: "2026-01-15T10:00:00Z",
    since_is_exact: false,
    pending_since: "2026-01-15T09:00:00Z",
    verdict: null,
  });
});

test("a single account that is gone has its verdict and ends with 5", async () => {
  const world = await observedFolders({});
  const { stdout, stderr, code } = await world.status("GONE", "--verdict", "--json");
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { kind: "not-found" },
    since: "2026-01-15T10:00:00Z",
    pending_since: "2026-01-15T09:00:00Z",
  });
  expect(JSON.parse(stderr).error.kind).toBe("not-found");
  const forPeople = await world.status("GONE");
  expect(forPeople).toMatchObject({ code: 5, stderr: expect.stringContaining("404") });
  expect(forPeople.stdout).toMatch(/^Status +gone, 404\n +The account left the list/m);
  expect(forPeople.stdout).toMatch(
    /^Since +2026-01-15T10:00:00Z\nPending since +2026-01-15T09:00:00Z or earlier$/m,
  );
});

test("a single account that no list had prints no row", async () => {
  const world = await observedFolders({});
  const { stdout, code } = await world.status("NEVER");
  expect({ stdout, code }).toEqual({ stdout: "", code: 5 });
});

test("a single account that is gone prints only its error as JSON without --verdict", async () => {
  const world = await observedFolders({});
  expect(await world.status("GONE", "--json")).toMatchObject({ stdout: "", code: 5 });
});

test("an earlier check by a command is the beginning of the time that the next one prints", async () => {
  const { status, clock } = await observedFolders({ NEW: "IN_PROGRESS" });
  const sinceIn = (stdout: string) => /^Since +(.+)$/m.exec(stdout)?.[1];
  expect(sinceIn((await status("NEW")).stdout)).toBe("just seen");
  await clock.advance(12 * 60_000);
  expect(sinceIn((await status("NEW")).stdout)).toBe("≥ 12 min");
  const { stdout } = await status("NEW", "--verdict", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    since: "2026-01-15T10:05:00Z",
    since_is_exact: false,
  });
});

test("a change that accounts watch saw is the exact start of the status", async () => {
  const service = await openService((_request, response, nth) =>
    reply(response, 200, {
      status: nth === 1 ? "UNKNOWN" : "IN_PROGRESS",
      service_account_number: "",
    }),
  );
  const options = { folders: await openFolders(), env: service.env, clock: hurriedClock() };
  const words = [
    "accounts",
    "watch",
    "ACME",
    "NEW",
    "--until",
    "IN_PROGRESS",
    "--interval",
    "20ms",
  ];
  expect((await runCommand(words, options)).code).toBe(0);
  const { stdout } = await run(["NEW", "--verdict", "--json"], options);
  expect(JSON.parse(stdout)).toMatchObject({ status: "IN_PROGRESS", since_is_exact: true });
});

test("a check that cannot be recorded is printed all the same, with one notice", async () => {
  const folders = await openFolders();
  // A file stands where the state folder would be made.
  await writeFile(folders.state, "");
  const { code, stdout, stderr } = await run(["EXT-0000001"], { folders });
  expect({ code, lines: stderr.trimEnd().split("\n").length }).toEqual({ code: 0, lines: 1 });
  expect(stderr).toContain("Checks are not recorded: ");
  expect(stdout).toContain("COMPLETED");
  const asJson = await run(["EXT-0000001", "--json"], { folders });
  expect(asJson).toMatchObject({ code: 0, stderr: "" });
});
