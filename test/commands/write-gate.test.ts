import { openSettings } from "../../src/settings/settings.ts";
import { instruction, note } from "../helpers/desk.ts";
import { spawnConsole } from "../helpers/terminal.ts";
import { world } from "../helpers/world.ts";

const production = { SUPPLYLINE_ENVIRONMENT: "production" };

test("question, result and refusal name the profile, its environment and its host", async () => {
  const { run, terminal, service, folders } = await world();
  const place = `on live (production, ${new URL(service.baseUrl).host})`;
  const add = ["profiles", "add", "live", "--base-url", service.baseUrl];
  expect((await run([...add, "--environment", "production"])).code).toBe(0);
  const env = { SUPPLYLINE_BASE_URL: "", SUPPLYLINE_PROFILE: "live" };
  expect((await run(note("--body", "b"), { env })).stderr).toContain(place);
  const confirmed = await run(note("--body", "b", "--yes"), { env });
  expect(confirmed.stdout).toContain(`EXT-0000001 of ACME, ${place}; journal entry 1.`);
  const refused = await run(instruction("NOVENDOR", "--yes"), { env });
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining(place) });
  const asked = await terminal(note("--body", "c"), { env });
  await asked.waitFor("type EXT-0000001:");
  expect(asked.text().replace(/\n/g, "")).toContain(place);
  expect(folders.state).not.toBe("");
});

test("a dry run needs no confirmation on production", async () => {
  const { run } = await world();
  expect((await run(note("--body", "b", "--dry-run"), { env: production })).code).toBe(0);
});

test("a profile that is read-only refuses always: 2", async () => {
  const { run, folders, service } = await world();
  const add = ["profiles", "add", "look", "--base-url", service.baseUrl, "--read-only"];
  expect((await run(add)).code).toBe(0);
  const { code, stderr } = await run([...note("--body", "b"), "--profile", "look", "--yes"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/profile look is read-only/);
  expect(service.ledger()).toEqual([]);
  expect(folders.state).not.toBe("");
});

test("on a terminal the account number has to be typed on production", async () => {
  const { terminal, service } = await world();
  const open = () => terminal(note("--body", "b"), { env: production });
  const wrong = await open();
  await wrong.waitFor("type EXT-0000001:");
  await wrong.send("EXT-1\r").until("is not EXT-0000001");
  expect(await wrong.exit).toEqual({ code: 2, signal: null });
  expect(service.ledger()).toEqual([]);
  const right = await open();
  await right.waitFor("type EXT-0000001:");
  await right.send("EXT-0000001\r").until("Confirmed: 1 note");
  expect(await right.exit).toEqual({ code: 0, signal: null });
  expect(service.ledger()).toHaveLength(1);
});

test("a profile that changes while the question is open sends nothing: 2", async () => {
  const { run, terminal, service, folders } = await world();
  const add = ["profiles", "add", "live", "--base-url", service.baseUrl];
  expect((await run([...add, "--environment", "production"])).code).toBe(0);
  const env = { SUPPLYLINE_BASE_URL: "", SUPPLYLINE_PROFILE: "live" };
  const asked = await terminal(note("--body", "b"), { env });
  await asked.waitFor("type EXT-0000001:");
  openSettings({ configDir: folders.config }).update("live", { readOnly: true });
  await asked.send("EXT-0000001\r").until("live is now read-only");
  expect(await asked.exit).toEqual({ code: 2, signal: null });
  expect(service.ledger()).toEqual([]);
});

test("Ctrl-C at the question ends with 130, and nothing is sent", async () => {
  const { terminal, service } = await world();
  const asked = await terminal(note("--body", "b"), { env: production });
  await asked.waitFor("type EXT-0000001:");
  asked.send("\u0003");
  expect(await asked.exit).toEqual({ code: 130, signal: null });
  expect(service.ledger()).toEqual([]);
});

test("the end of input at the question is no confirmation", async () => {
  const { folders, env, service } = await world();
  const terminal = await spawnConsole(note("--body", "b"), {
    folders,
    env: { ...env, ...production },
  });
  await terminal.waitFor("type EXT-0000001:");
  await terminal.send("\u0004").until("was not confirmed");
  expect(await terminal.exit).toEqual({ code: 2, signal: null });
  expect(service.ledger()).toEqual([]);
});
