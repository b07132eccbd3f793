import { fakeClock, fastClock } from "../helpers/clock.ts";
import { type CommandOptions, runCommand, startCommand } from "../helpers/command.ts";
import { openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { listOf, numbers, openListService } from "../helpers/list-service.ts";

const watch = (
  service: { env: Record<string, string> },
  words: readonly string[] = numbers,
  options: CommandOptions & { more?: readonly string[] } = {},
) =>
  runCommand(["accounts", "watch", "ACME", ...words, ...(options.more ?? [])], {
    env: service.env,
    clock: fastClock(),
    ...options,
  });

const lines = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("51 accounts are watched with lists alone: a line for each change, and 0", async () => {
  const [first = "", ...others] = numbers;
  const service = await openListService({
    lists: [listOf([first, "OTHER"], others), listOf(["OTHER"], numbers)],
  });
  const { code, stdout, stderr } = await watch(service, [...numbers, first], { more: ["--json"] });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const changes = lines(stdout);
  expect(changes).toHaveLength(52);
  expect(changes[0]).toMatchObject({ external_account_number: first, status: "pending" });
  expect(changes.at(-1)).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    import_supplier: "ACME",
    external_account_number: first,
    status: "COMPLETED",
    service_account_number: `A-${first}`,
    previous_status: "pending",
  });
  expect([service.listRequests(), service.lookUps()]).toEqual([2, 0]);
});

test("50 accounts are watched by their statuses", async () => {
  const fifty = numbers.slice(0, 50);
  const service = await openListService({
    lists: [500],
    statuses: Object.fromEntries(fifty.map((one) => [one, ["COMPLETED"]])),
  });
  expect((await watch(service, fifty)).code).toBe(0);
  expect([service.listRequests(), service.lookUps()]).toEqual([0, 50]);
});

test("rounds are five seconds apart, whatever interval is asked for", async () => {
  const clock = fakeClock();
  const service = await openListService({ lists: [listOf(numbers)] });
  const command = await startCommand(
    ["accounts", "watch", "ACME", ...numbers, "--interval", "10ms", "--timeout", "1m", "--json"],
    { env: service.env, clock },
  );
  await command.stdout.waitForText(/EXT-51"/);
  for (let second = 0; second < 60; second++) {
    await clock.untilSleeping();
    const before = service.listRequests();
    await clock.advance(1_000);
    expect(service.listRequests() - before).toBeLessThanOrEqual(1);
  }
  const { code, stderr } = await command.result;
  expect(code).toBe(8);
  expect(service.asked().length).toBeLessThanOrEqual(12);
  expect(stderr.trimEnd().split("\n")).toHaveLength(21);
  expect(JSON.parse(stderr.split("\n")[0] ?? "").error).toMatchObject({
    kind: "watch-timed-out",
    message: "EXT-1 was not COMPLETED within 1 min; its last status was pending.",
  });
  expect(stderr).toContain("31 more accounts were not COMPLETED in that time");
});

test("an account that leaves the list without being imported has failed: 9", async () => {
  const [first = "", second = "", ...others] = numbers;
  const service = await openListService({
    lists: [listOf(numbers), listOf([second], others), listOf([], [second, ...others])],
    statuses: { [first]: ["UNKNOWN"] },
  });
  const { code, stdout, stderr } = await watch(service);
  expect(code).toBe(9);
  expect(stderr).toContain(`${first} ended as UNKNOWN, not as COMPLETED`);
  expect(stdout).toMatch(/EXT-1 +UNKNOWN +was pending\n$/);
  expect(service.lookUps()).toBe(2);
});

test("an account on no list is not found: 5; --wait waits for it", async () => {
  const [first = "", ...others] = numbers;
  const service = await openListService({ lists: [listOf([], others)] });
  const { code, stderr } = await watch(service);
  expect(code).toBe(5);
  expect(stderr).toContain(`has no account ${first}`);
  const later = await openListService({ lists: [listOf([], others), listOf([], numbers)] });
  const waited = await watch(later, numbers, { more: ["--wait", "--json"] });
  expect(waited).toMatchObject({ code: 0, stderr: "" });
  expect(lines(waited.stdout).slice(-2)).toMatchObject([
    { status: null, previous_status: null },
    { status: "COMPLETED", previous_status: null },
  ]);
});

test("a list that fails or is cut off is void, is reported once, and is tried again", async () => {
  const service = await openListService({
    lists: [listOf(numbers), 500, 500, "cut", listOf([], numbers)],
  });
  const { code, stdout, stderr } = await watch(service, numbers, { more: ["--json"] });
  expect(code).toBe(0);
  expect(lines(stdout)).toHaveLength(102);
  expect(stderr).toContain("ACME: the service responds again.");
  expect(stderr.match(/"kind":"unreadable"/g)).toHaveLength(1);
  expect(service.lookUps()).toBe(0);
});

test("a supplier without a list is not found: 5", async () => {
  const service = await openListService({ lists: [404] });
  const { code, stdout, stderr } = await watch(service);
  expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
  expect(stderr).toContain("ACME");
});

test("refused credentials end it: 3", async () => {
  const service = await openListService({ lists: [listOf(numbers), 403] });
  expect((await watch(service)).code).toBe(3);
});

test("an empty list after one with accounts is held back, with one notice", async () => {
  const service = await openListService({
    lists: [listOf(numbers), listOf([]), listOf([]), listOf([], numbers)],
  });
  const { code, stderr } = await watch(service);
  expect(code).toBe(0);
  expect(stderr.match(/The missing accounts keep their state/g)).toHaveLength(1);
  expect(stderr).toContain("supplyline observations confirm ACME");
  expect(service.lookUps()).toBe(0);
});

test("--any ends with the first account that is imported, --fail-fast with the first that is not", async () => {
  const [first = "", ...others] = numbers;
  const service = await openListService({ lists: [listOf(others, [first])] });
  expect(await watch(service, numbers, { more: ["--any"] })).toMatchObject({ code: 0, stderr: "" });
  const missing = await openListService({ lists: [listOf(others)] });
  const failed = await watch(missing, numbers, { more: ["--fail-fast"] });
  expect(failed.code).toBe(5);
  expect(failed.stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("--any and --fail-fast work for a few accounts too", async () => {
  const service = await openListService({
    lists: [500],
    statuses: { A: ["IN_PROGRESS", "UNKNOWN"], B: ["IN_PROGRESS"], C: ["COMPLETED"] },
  });
  const any = await watch(service, ["B", "C"], { more: ["--any"] });
  expect(any).toMatchObject({ code: 0, stderr: "" });
  const failed = await watch(service, ["A", "B"], { more: ["--fail-fast"] });
  expect(failed.code).toBe(9);
  expect(failed.stderr).toBe("supplyline: A ended as UNKNOWN, not as COMPLETED.\n");
  const none = await watch(service, ["C"], { more: ["--any", "--until", "IN_PROGRESS"] });
  expect(none.code).toBe(9);
});

test("a notice reports that another status is only known for accounts on no list", async () => {
  const [first = "", ...others] = numbers;
  const service = await openListService({
    lists: [listOf(others)],
    statuses: { [first]: ["IN_PROGRESS"] },
  });
  const { code, stderr } = await watch(service, numbers, {
    more: ["--until", "in_progress", "--any"],
  });
  expect(code).toBe(0);
  expect(stderr).toContain("in_progress is reported only for an account that is on no list");
});

test("a cohort has a line for each change of its counts, and one for each account that changes", async () => {
  const [first = "", second = "", ...others] = numbers;
  const service = await openListService({
    lists: [listOf([first, second], others.slice(1)), listOf([second], [first, ...others])],
    statuses: { [others[0] ?? ""]: ["IN_PROGRESS"] },
  });
  const folders = await openFolders();
  await runCommand(["cohorts", "add", "wave", "ACME", "--source", "-"], {
    env: service.env,
    folders,
    input: numbers.join("\n"),
  });
  const more = ["--cohort", "wave", "--timeout", "30s"];
  const { code, stdout } = await watch(service, [], { more, folders });
  expect(code).toBe(8);
  const words = stdout.trimEnd().split("\n");
  expect(words.map((line) => line.replace(/^\S+ \S+ +/, "").replace(/ {2,}/g, "  "))).toEqual([
    "wave  48 done, 3 open, 0 failed",
    "EXT-1  COMPLETED  A-EXT-1  was pending",
    "EXT-3  COMPLETED  A-EXT-3  was IN_PROGRESS",
    "wave  50 done, 1 open, 0 failed",
  ]);
  const json = await watch(service, [], { more: [...more, "--json"], folders });
  expect(lines(json.stdout)).toHaveLength(51);
});

test("on a terminal each change is one line, with the states of the list", async () => {
  const [first = "", ...others] = numbers;
  const service = await openListService({ lists: [listOf([first], others)] });
  const terminal = await openConsole(["accounts", "watch", "ACME", ...numbers], {
    env: service.env,
    cols: 80,
    rows: 60,
  });
  await terminal.waitFor(/EXT-1 +pending/);
  for (const number of others) await terminal.waitFor(new RegExp(`${number} +COMPLETED`));
  terminal.press("ctrl-c");
  expect((await terminal.exit).code).toBe(130);
});
