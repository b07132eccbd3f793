import { fastClock, hurriedClock } from "../helpers/clock.ts";
import { type CommandOptions, runCommand } from "../helpers/command.ts";
import { startCli } from "../helpers/process.ts";
import { openSandbox, openService, reply, type TestSandbox } from "../helpers/service.ts";

let moving: TestSandbox;
/** Imports move by a second with each request, so that no state is passed over between two looks. */
beforeAll(async () => {
  let now = Date.parse("2026-11-20T12:00:00Z");
  const arrived = () => {
    now += 1_000;
  };
  moving = await openSandbox({
    speed: 1,
    now: () => now,
    observer: { arrived, ended: () => {} },
  });
});

const quick = ["--interval", "20ms"];
const watch = (words: readonly string[], options: CommandOptions = {}) =>
  runCommand(["accounts", "watch", "ACME", ...words, ...quick], {
    env: moving.env,
    clock: hurriedClock(),
    ...options,
  });

const lines = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** A service whose answers for an account come one by one; the last one stays. */
const scripted = (...answers: readonly (number | string)[]) =>
  openService((_request, response, nth) => {
    const answer = answers[Math.min(nth, answers.length) - 1] ?? 500;
    if (typeof answer === "number") reply(response, answer, { detail: "Not now." });
    else reply(response, 200, { status: answer, service_account_number: "" });
  });

test("watch prints one line per change and ends with 0 for a successful import", async () => {
  const { code, stdout, stderr } = await watch(["EXT-0000007", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const changes = lines(stdout);
  expect(changes.map((change) => change.status)).toEqual(["UNKNOWN", "IN_PROGRESS", "COMPLETED"]);
  expect(changes[2]).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    import_supplier: "ACME",
    external_account_number: "EXT-0000007",
    status: "COMPLETED",
    service_account_number: expect.stringMatching(/^A-/),
    previous_status: "IN_PROGRESS",
  });
});

test("watch ends with 9 if UNKNOWN follows IN_PROGRESS", async () => {
  const { code, stdout, stderr } = await watch(["EXT-0000008"]);
  expect(code).toBe(9);
  expect(stdout).toMatch(/UNKNOWN\n.*IN_PROGRESS +was UNKNOWN\n.*UNKNOWN +was IN_PROGRESS\n$/);
  expect(stderr).toContain("EXT-0000008 ended as UNKNOWN, not as COMPLETED");
});

test("watch ends at the status of --until", async () => {
  const service = await scripted("UNKNOWN", "IN_PROGRESS");
  const { code, stdout } = await watch(["E", "--until", "in_progress", "--json"], {
    env: service.env,
  });
  expect(code).toBe(0);
  expect(lines(stdout).map((change) => change.status)).toEqual(["UNKNOWN", "IN_PROGRESS"]);
});

test("watch ends with 9 at another final state, as one JSON object with --json", async () => {
  const { code, stderr } = await watch(["EXT-0000001", "--until", "IN_PROGRESS", "--json"]);
  expect(code).toBe(9);
  expect(JSON.parse(stderr).error).toMatchObject({ kind: "other-final-state" });
});

test("watch ends with 8 at its --timeout", async () => {
  const { code, stderr } = await watch(["EXT-0000006", "--timeout", "30s"], {
    clock: fastClock(),
  });
  expect(code).toBe(8);
  expect(stderr).toContain("EXT-0000006 was not COMPLETED within 30 s");
  expect(stderr).toContain("its last status was IN_PROGRESS");
});

test("watch ends with 5 if the first check finds no account", async () => {
  const { code, stdout, stderr } = await watch(["NOPE"]);
  expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
  expect(stderr).toContain("has no account NOPE");
});

test("--wait waits for an account that the service does not have yet", async () => {
  const service = await scripted(404, 404, "COMPLETED");
  const { code, stdout } = await watch(["E", "--wait", "--json"], { env: service.env });
  expect(code).toBe(0);
  expect(lines(stdout).map((change) => change.status)).toEqual([null, "COMPLETED"]);
});

test("watch shows a later 404 and continues", async () => {
  const service = await scripted("UNKNOWN", 404, "COMPLETED");
  const { code, stdout } = await watch(["E"], { env: service.env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/UNKNOWN\n.*NOT FOUND \(404\) +was UNKNOWN\n.*COMPLETED/);
});

test("watch reports an error once and continues", async () => {
  const service = await scripted("UNKNOWN", 503, 503, "COMPLETED");
  const { code, stderr } = await watch(["E"], { env: service.env });
  expect(code).toBe(0);
  expect(stderr.match(/could not answer/g)).toHaveLength(1);
  expect(stderr).toContain("E: the service responds again");
});

test("watch ends if the credentials are refused", async () => {
  const service = await scripted("UNKNOWN", 403);
  const { code, stderr } = await watch(["E", "F"], { env: service.env });
  expect(code).toBe(3);
  expect(stderr.match(/not allowed/g)).toHaveLength(1);
});

test("watch of several accounts ends with the most severe exit code", async () => {
  const { code, stdout } = await watch(["EXT-0000001", "NOPE", "EXT-0000010x", "--json"]);
  expect(code).toBe(5);
  expect(lines(stdout)).toMatchObject([{ external_account_number: "EXT-0000001" }]);
});

test("watch waits for an undocumented status, with a hint", async () => {
  const { stderr } = await watch(["EXT-0000001", "--until", "COMPLETD"]);
  expect(stderr).toContain("COMPLETD is not a documented status (IN_PROGRESS, COMPLETED, UNKNOWN)");
  expect(stderr).toContain("Did you mean COMPLETED?");
});

test("Ctrl-C ends a watch with 130", async () => {
  const { code, stderr } = await watch(["EXT-0000006"], {
    signalAfter: { pattern: "IN_PROGRESS" },
  });
  expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
});

test("a closed pipe ends the watch at the next line", async () => {
  const later = Promise.withResolvers<void>();
  const service = await openService((_request, response, nth) => {
    const answer = (status: string) => reply(response, 200, { status, service_account_number: "" });
    if (nth === 1) answer("UNKNOWN");
    else later.promise.then(() => answer("IN_PROGRESS"));
  });
  const cli = await startCli(["accounts", "watch", "ACME", "E", ...quick], {
    env: service.env,
  });
  await cli.stdout.waitForText("UNKNOWN");
  cli.closeReader("stdout");
  later.resolve();
  expect(await cli.result).toMatchObject({ code: 0, stderr: "" });
});

test.each([
  ["PROCESSED", 0],
  ["ERRORED", 9],
  ["CANCELLED", 9],
  ["DRY-RUN-SUCCEEDED", 9],
  ["DRY-RUN-ERRORED", 9],
])("a supply point that is %s ends the watch with %i", async (name, expected) => {
  const words = ["supply-points", "watch", "ACME", `SP-${name}`, "--json"];
  const { code, stdout } = await runCommand(words, { env: moving.env });
  expect(code).toBe(expected);
  expect(lines(stdout)).toMatchObject([
    {
      import_supplier: "ACME",
      external_identifier: `SP-${name}`,
      status: name.replaceAll("-", "_"),
      previous_status: null,
    },
  ]);
});

test("a supply point is followed through its states", async () => {
  const words = ["supply-points", "watch", "ACME", "SP-FAILING", "--until", "ERRORED", ...quick];
  const { code, stdout } = await runCommand(words, { env: moving.env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/PENDING\n.*IN_PROGRESS +was PENDING\n.*ERRORED .*was IN_PROGRESS\n$/);
});
