import { fastClock } from "../helpers/clock.ts";
import { openConsole } from "../helpers/console.ts";

test("a newcomer opens the sandbox, finds an account and watches it being imported", async () => {
  const terminal = await openConsole([], { cols: 80, rows: 24, clock: fastClock() });
  await terminal.waitFor("Connect to a service");
  expect(terminal.altScreen()).toBe(true);

  await terminal.press("enter").until(/ACME .*\d\.\d +\d/);
  await terminal.waitFor(/PAUSED .*60\.0 +16/);
  await terminal.waitFor(/DONE .*94\.6 +2/);
  expect(terminal.screen()[0]).toMatch(/^Suppliers.*sandbox {2}UTC$/);

  await terminal.waitFor(/! NORTH[\s\S]* ACME/);
  await terminal.press("home", "j").until(/▌ +ACME/);
  await terminal.press("enter").until("of 120 imported");
  await terminal.waitFor("Newest");

  await terminal.press("enter").until(/1 of 120/);
  await terminal.press("/").until("Enter keep filter");
  await terminal.send("0000007").until(/1 of 120 match/);
  await terminal.press("enter").untilGone("keep filter");

  await terminal.press("enter").until("UNKNOWN");
  await terminal.waitFor("IN_PROGRESS");
  const done = await terminal.waitFor("COMPLETED");
  expect(done).toContain("final, checked");
  expect(done).toMatch(/COMPLETED +after/);
  expect(done).toMatch(/IN_PROGRESS +after/);
  expect(done).toMatch(/UNKNOWN +first check/);
  expect(done).not.toContain("none yet");

  await terminal.press("esc").until(/1 of 120 match/);
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
  expect(terminal.altScreen()).toBe(false);
});

test("a supply point shows each of the seven states, and the error with code, domain and detail", async () => {
  const states = [
    "IN-PROGRESS",
    "PENDING",
    "CANCELLED",
    "DRY-RUN-SUCCEEDED",
    "PROCESSED",
    "ERRORED",
    "DRY-RUN-ERRORED",
  ];
  const terminal = await openConsole(["--sandbox", "open", "ACME", "--supply-point", "SP-MOVING"], {
    cols: 120,
    rows: 30,
  });
  await terminal.waitFor("Observed");
  for (const state of states) {
    const screen = await terminal
      .palette(`sp ACME/SP-${state}`)
      .until((text) => text.includes(`Supply point › SP-${state} `) && text.includes("Observed"), {
        describe: `the supply point SP-${state}`,
      });
    expect(screen).toContain(state.replaceAll("-", "_"));
    if (state.endsWith("ERRORED")) {
      expect(screen).toMatch(/Error code +\S+/);
      expect(screen).toMatch(/Error domain +\S+/);
      // The reason is the second line of the screen's body, in place of a sentence about it.
      expect(screen).toMatch(/ERRORED.*\n[A-Z].{20,}/);
      expect(screen).not.toContain("the latest error says why");
    }
    if (state === "PROCESSED") expect(screen).not.toContain("none yet");
  }
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("an account on no list is UNKNOWN when it is staged, and 404 when it never was", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000004"]);
  await terminal.waitFor("UNKNOWN");
  await terminal.paste("ACME/EXT-NEVER\n").until(": ACME/EXT-NEVER");
  await terminal.press("enter").until("NOT FOUND (404)");
  await terminal.press("v").until("Raw:");
  await terminal.press("esc").until("Observed");
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("identifiers with slashes, blanks, percent signs and other scripts reach the service unharmed", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME", "EXT/0000011"], {
    cols: 120,
    rows: 30,
  });
  await terminal.waitFor("COMPLETED");
  for (const number of [
    "EXT 0000010",
    "EXT%0000012",
    "EXT-Ωé-0000013",
    "EXT-日本-0000014",
    "EXT%2F0000016",
  ]) {
    await terminal
      .palette(`ACME/${number}`)
      .until((text) => text.includes(`Accounts › ${number} `) && text.includes("COMPLETED"), {
        describe: `${number} as COMPLETED`,
      });
  }
  const command = await terminal.press("x").until("As command and curl");
  expect(command).toContain("EXT%252F0000016");
  expect(command).toContain("$SUPPLYLINE_TOKEN");
});

test("the console goes on through resizes, down to the line that says it is too small", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME"], { cols: 200, rows: 50 });
  await terminal.waitFor("of 120 imported");
  terminal.resize(60, 15);
  await terminal.waitFor((text) => text.includes("of 120 imported") && !text.includes("Newest"));
  terminal.resize(40, 10);
  await terminal.waitFor("40×10 is too small: 60×15 or more");
  terminal.resize(80, 24);
  await terminal.waitFor("of 120 imported");
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("a hang-up ends the program", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME"]);
  await terminal.waitFor("of 120 imported");
  terminal.hangUp();
  const { code, signal } = await terminal.exit;
  expect(code !== 0 || signal !== null).toBe(true);
});
