import { note } from "../helpers/desk.ts";
import { runCli } from "../helpers/process.ts";
import { spawnConsole } from "../helpers/terminal.ts";
import { world } from "../helpers/world.ts";

/** A command in a process of its own, which reads its zone once; it goes to a sandbox. */
async function openZone(TZ: string) {
  const { env, folders } = await world();
  return (words: readonly string[]) => runCli(words, { env: { ...env, TZ }, folders });
}

const typed = ["--created-at", "2026-01-01 10:00"];

test.each([
  ["", "Times are in UTC: TZ is empty."],
  ["Bad/Zone", "Times are in UTC: TZ=Bad/Zone names no known time zone."],
  ["CET-1CEST", "Times are in UTC: TZ=CET-1CEST names no known time zone."],
])("with TZ=%j a time is read as UTC, and that is said once", async (TZ, words) => {
  const run = await openZone(TZ);
  const sent = await run(note("--body", "x", ...typed, "--dry-run"));
  expect(sent.code).toBe(0);
  expect(sent.stdout).toContain("2026-01-01T10:00:00Z");
  expect(sent.stderr.split(words)).toHaveLength(2);
  const now = await run(note("--body", "x", "--created-at", "now", "--dry-run"));
  expect(now.code).toBe(0);
  const json = await run(note("--body", "x", ...typed, "--json"));
  expect({ code: json.code, stderr: json.stderr }).toEqual({ code: 0, stderr: "" });
});

test.each([
  ["Europe/Berlin", "2026-01-01T10:00:00+01:00"],
  [":Europe/Berlin", "2026-01-01T10:00:00+01:00"],
  ["JST-9", "2026-01-01T10:00:00+09:00"],
])("with TZ=%s a time is read in that zone, and nothing is said", async (TZ, at) => {
  const run = await openZone(TZ);
  const sent = await run(note("--body", "x", ...typed, "--dry-run"));
  expect(sent.stdout).toContain(at);
  expect(sent.stderr).not.toContain("TZ");
});

test("the locale of another country changes no time, number or order", async () => {
  const { env, folders } = await world();
  const outputs: string[] = [];
  for (const locale of ["C", "ar_EG.UTF-8", "fa_IR.UTF-8", "th_TH.UTF-8", "tr_TR.UTF-8"]) {
    const all = { ...env, TZ: "Asia/Kathmandu", LANG: locale, LC_ALL: locale };
    const run = (...words: string[]) => runCli(words, { env: all, folders });
    const list = await run("accounts", "list", "ACME", "--filter", "created:2026", "--limit", "9");
    const sent = await run(...note("--body", "İıIi", ...typed, "--dry-run"));
    expect([list.code, sent.code]).toEqual([0, 0]);
    outputs.push(`${list.stdout}${list.stderr}${sent.stdout}${sent.stderr}`);
  }
  expect(outputs[0]).toContain("2026-01-01T10:00:00+05:45");
  expect(new Set(outputs).size).toBe(1);
});

test("in the console an empty TZ is reported, and a time can be typed", async () => {
  const terminal = await spawnConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    cols: 100,
    rows: 30,
    env: { TZ: "" },
  });
  await terminal.waitFor("Times are in UTC: TZ is empty.");
  await terminal.waitFor("COMPLETED");
  await terminal.press("n").until("Notes for");
  await terminal.send("x").until(/Note 1 +x/);
  await terminal.press("enter").until(/^▌ +Documents/m);
  await terminal.press("enter").until(/^▌ +Created at/m);
  await terminal.paste("2026-01-01 10:00").until("2026-01-01 10:00");
});
