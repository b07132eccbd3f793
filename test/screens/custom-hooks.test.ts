import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fastClock, hurriedClock } from "../helpers/clock.ts";
import { runCommand } from "../helpers/command.ts";
import { openConsole } from "../helpers/console.ts";
import { eventually } from "../helpers/eventually.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { standIn } from "../settings/custom/programs.ts";

test("on-final runs when something watched ends, on any screen, and on-alert when work needs someone", async () => {
  let now = Date.parse("2026-11-20T12:00:00Z");
  const service = await openSandbox({ speed: 1, now: () => now, faults: ["reset-after@notesx4"] });
  await using folders = await openFolders();
  await mkdir(folders.config, { mode: 0o700 });
  const ended = standIn("ended");
  const alerted = standIn("alerted");
  const hooks = {
    "on-final": { run: [ended.path, "{external_account_number}", "{status}"] },
    "on-alert": { run: [alerted.path, "{text}"] },
  };
  await writeFile(join(folders.config, "commands.json"), JSON.stringify({ hooks }), {
    mode: 0o600,
  });
  await writeFile(
    join(folders.config, "preferences.json"),
    JSON.stringify({ pollIntervalMs: 1_000 }),
    { mode: 0o600 },
  );
  const env = service.env;
  try {
    await using terminal = await openConsole(["open", "ACME", "EXT-0000002"], {
      folders,
      clock: fastClock(),
      env,
    });
    await terminal.waitFor("UNKNOWN");
    terminal.press("w");
    await terminal.waitFor("Watching EXT-0000002; W shows the list.");
    now += 6_000;
    await terminal.waitFor("IN_PROGRESS");
    terminal.press("esc");
    await terminal.waitFor("of 120 imported");
    now += 10_000;
    await terminal.waitFor("Watch: ACME/EXT-0000002 COMPLETED");
    await eventually(() => ended.calls().length > 0);
    const [call] = ended.calls();
    expect(call?.args).toEqual(["EXT-0000002", "COMPLETED"]);
    expect(JSON.parse(call?.stdin ?? "")).toMatchObject({
      ...{ event: "on-final", text: "Watch: ACME/EXT-0000002 COMPLETED" },
      items: [{ import_supplier: "ACME", status: "COMPLETED", reached: true }],
    });
    // Nothing needed someone so far.
    expect(alerted.calls()).toEqual([]);
    const note = ["notes", "create", "ACME", "EXT-0000001", "--body", "Called", "--settle", "0s"];
    expect((await runCommand(note, { folders, env, clock: hurriedClock() })).code).toBe(7);
    await eventually(() => alerted.calls().length > 0);
    expect(alerted.calls()[0]?.args).toEqual(["Needs someone: 1 entry unknown"]);
  } finally {
    await service.close();
  }
});
