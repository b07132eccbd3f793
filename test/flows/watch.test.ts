import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fastClock } from "../helpers/clock.ts";
import { type OpenConsoleOptions, openConsole } from "../helpers/console.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";

/** A sandbox whose imports move when the test says so, and folders of a user who polls every second. */
async function setUp() {
  let now = Date.now();
  const service = await openSandbox({ speed: 1, now: () => now });
  const folders = await openFolders();
  prefer(folders, { pollIntervalMs: 1_000 });
  return {
    folders,
    env: service.env,
    move: (seconds: number) => {
      now += seconds * 1_000;
    },
  };
}

function prefer(folders: Folders, preferences: Record<string, unknown>): void {
  mkdirSync(folders.config, { recursive: true, mode: 0o700 });
  const file = join(folders.config, "preferences.json");
  writeFileSync(file, JSON.stringify(preferences), { mode: 0o600 });
}

/** The console on a clock that makes the intervals of its polling short. */
function open(args: readonly string[], options: OpenConsoleOptions) {
  return openConsole(args, { clock: fastClock(), ...options });
}

const notice = (text: string) => `\u0007\u001b]9;supplyline: Watch: ${text}\u0007`;

test("an account is watched from its screen; the bell rings on another screen when it is in, and it is there after a restart", async () => {
  const world = await setUp();
  const { folders, env } = world;
  {
    await using terminal = await open(["open", "ACME", "EXT-0000002"], {
      folders,
      env,
      cols: 80,
      rows: 24,
    });
    await terminal.waitFor("UNKNOWN");
    await terminal.press("w").until("Watching EXT-0000002; W shows the list.");
    await terminal.waitFor("w unwatch");
    await terminal.waitFor(/^Suppliers.*watching 1/);
    await terminal.press("esc").until("of 120 imported");
    await terminal.press("esc").until("This profile has no suppliers yet");

    world.move(6);
    await terminal.press("W").until(/ACME\/EXT-0000002 +● IN_PROGRESS +(< 1|\d+) min/);
    await terminal.press("esc").until("This profile has no suppliers yet");
    expect(terminal.bytes()).not.toContain("\u001b]9;");
    world.move(10);
    await terminal.waitFor("Watch: ACME/EXT-0000002 COMPLETED");
    expect(terminal.screen()[0]).toMatch(/^Suppliers/);
    await terminal.waitForGone(/^Suppliers.*watching/);
    const told = () => terminal.bytes().includes(notice("ACME/EXT-0000002 COMPLETED"));
    await terminal.waitFor(told, { describe: "the bell and the notice to the terminal" });

    await terminal.press("W").until("1 done");
    // No check raises the age of an import that ended well, so the time is shown.
    await terminal.waitFor(/✓ COMPLETED +\d\d:\d\d:\d\d/);
    await terminal.waitFor(/EXT-0000002 {2}COMPLETED since \d\d:\d\d:\d\d/);
    terminal.press("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
  }
  await using terminal = await open([], { folders, env });
  await terminal.waitFor("This profile has no suppliers yet");
  await terminal.press("W").until(/ACME\/EXT-0000002 +✓ COMPLETED/);
  await terminal.press("w").until("EXT-0000002 no longer watched.");
  await terminal.waitFor("Nothing is watched yet.");
});

test("all that are marked in a list are watched, and then filtered, sorted, opened and removed, on a large terminal", async () => {
  const world = await setUp();
  const { folders, env } = world;
  await using terminal = await open(["open", "ACME"], { folders, env, cols: 200, rows: 50 });
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  await terminal.press("tab").until("[Pending");
  await terminal.waitFor(/1 of 4\d/);
  terminal.press("+");
  const listed = /(\d+) marked/.exec(await terminal.waitFor(/\d+ marked/))?.[1] ?? "";
  await terminal.press("w").until(`Watching ${listed} more; W shows the list.`);
  await terminal.press("W").until(`${listed} open`);
  await terminal.waitFor(/every \d+ s {3}slowed from 1 s \(request limit\)/);
  // Before its first check, an account has the state of the list, and no checks.
  const whole = (text: string) => !/EXT-\d+ +○ pending|not seen yet/.test(text);
  await terminal.waitFor(whole, { describe: "a first check of each" });

  world.move(6);
  await terminal.waitFor(/EXT-0000003 +● IN_PROGRESS/);
  world.move(10);
  await terminal.waitFor(/EXT-0000003 +✗ UNKNOWN \(failed\)/);
  await terminal.press("G").until(/✓ \d+ done/);
  await terminal.press("enter").until(/EXT-\d+ +✓ COMPLETED/);
  terminal.press("g");
  const first = (text: string) => /UNKNOWN \(failed\)/.test(text.split("\n")[4] ?? "");
  await terminal.waitFor(first, { describe: "what ended badly in the first row" });
  await terminal.waitFor(/needs? you.*done/);

  await terminal.press("/").until("keep filter");
  await terminal.send("status:failed EXT-0000003").until(`1 of ${listed} match`);
  await terminal.press("enter").untilGone("keep filter");
  await terminal.press("enter").until("Accounts › EXT-0000003");
  // What the watch list saw is what the account's own screen knows, and the other way round.
  await terminal.waitFor(/✗ UNKNOWN \(failed\) since \d\d:\d\d:\d\d/);
  await terminal.waitFor("final, checked");
  await terminal.waitFor(/IN_PROGRESS {2}after .*\n.*UNKNOWN {2}first check/);
  await terminal.press("esc").until(`1 of ${listed} match`);
  await terminal.press("x").until("accounts watch ACME EXT-0000003");
  await terminal.press("esc").until(`1 of ${listed} match`);
  await terminal.press("d").until("Stop watching EXT-0000003?");
  await terminal.press("down", "enter").until("No watched entry matches");
  await terminal.press("esc").until(new RegExp(`of ${Number(listed) - 1}$`, "m"));

  await terminal.press(">").until("▲ Watched");
  await terminal.press("space").until("1 marked");
  await terminal.press("+").until("unmark all");
  await terminal.press("w").until("Nothing is watched yet.");
});

test("a supply point is watched on a small terminal; muted, neither bell nor notice is sent", async () => {
  const world = await setUp();
  const { folders, env } = world;
  await using terminal = await open(["open", "ACME", "--supply-point", "SP-MOVING"], {
    folders,
    env,
    cols: 60,
    rows: 15,
  });
  await terminal.waitFor("PENDING");
  await terminal.press("W").until("Nothing is watched yet.");
  await terminal.press("m").until("Muted: no bell");
  await terminal.press("a").until("SUPPLIER/NUMBER");
  terminal.send("sp ACME/SP-MOVING");
  await terminal.press("enter").until(/SP-MOVING +○ PENDING/);
  await terminal.waitFor("1 open   every 1 s   muted");
  await terminal.press("z").until("checking paused");
  world.move(20);
  await terminal.press("z").until(/SP-MOVING +✓ PROCESSED/);
  await terminal.waitFor("Watch: ACME/SP-MOVING PROCESSED");
  expect(terminal.bytes()).not.toContain("\u001b]9;");
  terminal.press("q");
  await terminal.exit;
  const kept = readFileSync(join(folders.config, "preferences.json"), "utf8");
  expect(JSON.parse(kept)).toEqual({ pollIntervalMs: 1_000, watchBell: false });
});

test("two consoles share the list: what one adds, the other shows, and neither loses the other's", async () => {
  const world = await setUp();
  const { folders, env } = world;
  await using one = await open(["open", "ACME", "EXT-0000004"], { folders, env });
  await using other = await open(["open", "ACME", "EXT-0000006"], { folders, env });
  await one.waitFor("UNKNOWN");
  await other.waitFor("IN_PROGRESS");
  await one.press("w").until("Watching EXT-0000004");
  await other.press("w").until("Watching EXT-0000006");
  for (const terminal of [one, other]) {
    await terminal.press("W").until(/^1 of 2$/m);
    expect(terminal.text()).toContain("EXT-0000004");
    expect(terminal.text()).toContain("EXT-0000006");
  }
});

test("a service that goes away is reported in the rows; what was seen stays, and the watch goes on when it is back", async () => {
  const world = await setUp();
  const { folders, env } = world;
  await using terminal = await open(["open", "ACME", "EXT-0000004"], {
    folders,
    env,
    cols: 140,
    rows: 30,
  });
  await terminal.waitFor("UNKNOWN");
  await terminal.press("w").until("Watching");
  await terminal.press("W").until(/EXT-0000004 +○ UNKNOWN/);
  await setFaults(env, ["503@account-status"]);
  await terminal.waitFor(/EXT-0000004 +○ UNKNOWN .*HTTP 503/);
  await terminal.waitFor(/│ .*\(503\)/s);
  await setFaults(env, []);
  await terminal.press("r").untilGone("HTTP 503");
  await terminal.waitFor(/^1 open /m);
});

async function setFaults(
  env: { SUPPLYLINE_BASE_URL: string; SUPPLYLINE_API_KEY: string },
  faults: readonly string[],
): Promise<void> {
  const answer = await fetch(`${env.SUPPLYLINE_BASE_URL}/v1/graphql/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      query: "mutation($k: String!) { obtainToken(input: {APIKey: $k}) { token } }",
      variables: { k: env.SUPPLYLINE_API_KEY },
    }),
  });
  const { data } = (await answer.json()) as { data: { obtainToken: { token: string } } };
  const set = await fetch(`${env.SUPPLYLINE_BASE_URL}/sandbox/faults`, {
    method: "PUT",
    headers: {
      "content-type": "application/json",
      authorization: `Token ${data.obtainToken.token}`,
    },
    body: JSON.stringify(faults),
  });
  expect(set.status).toBe(204);
}
