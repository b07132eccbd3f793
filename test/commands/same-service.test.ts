import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { account, notesCsv, runIn } from "../helpers/desk.ts";
import { openSandbox } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";

/** Two profiles of one service, by two names of this machine, and one of another service. */
async function openProfiles() {
  const supplier = { code: "BULK", status: "Ongoing", imported: 60, staged: 3 } as const;
  const sandbox = await openSandbox({ suppliers: [supplier] });
  const desk = await world({ service: null, env: { SUPPLYLINE_API_KEY: sandbox.apiKey } });
  const settings = openSettings({ configDir: desk.folders.config });
  const add = (name: string, baseUrl: string) =>
    settings.add(profileFrom({ name, baseUrl, environment: "test", suppliers: ["BULK"] }));
  add("day", sandbox.baseUrl);
  add("night", sandbox.baseUrl.replace("127.0.0.1", "localhost"));
  add("elsewhere", "https://elsewhere.example");
  const as = (name: string) => (words: readonly string[]) =>
    desk.run([...words, "--profile", name]);
  return { ...desk, sandbox, day: as("day"), night: as("night"), elsewhere: as("elsewhere") };
}

const note = ["notes", "create", "BULK", account(1), "--settle", "0s", "--body", "lost"];

test("an entry is found through every profile of its service, with the one that sent it", async () => {
  const { day, night, elsewhere, sandbox } = await openProfiles();
  sandbox.setFaults(["reset-after@notes"]);
  expect((await day(note)).code).toBe(7);
  sandbox.setFaults([]);
  const list = async (run: typeof day, ...words: string[]) =>
    JSON.parse((await run(["activity", "list", "--json", ...words])).stdout);
  const entry = { journal_id: 1, profile: "day", outcome: "unknown" };
  expect(await list(night)).toMatchObject([entry]);
  expect(await list(night, "--of-profile", "day")).toMatchObject([entry]);
  expect(await list(night, "--of-profile", "night")).toEqual([]);
  expect(await list(elsewhere)).toEqual([]);
  expect((await night(["activity", "export"])).stdout).toContain('"profile":"day"');
  expect((await night(["activity", "export", "--of-profile", "night"])).stdout).toBe("");
  const check = ["check", "BULK", "--unknown-writes", "--json"];
  expect(JSON.parse((await night(check)).stdout)).toMatchObject([{ met: true, figure: 1 }]);
  expect(JSON.parse((await elsewhere(check)).stdout)).toMatchObject([{ met: false, figure: 0 }]);
  const figures = JSON.parse((await night(["suppliers", "show", "BULK", "--json"])).stdout);
  expect(figures).toMatchObject({ unknown_writes: 1 });
  const stored = JSON.parse((await night(["suppliers", "list", "--json"])).stdout);
  expect(stored).toMatchObject([{ unknown_writes: 1 }]);
  const report = await night(["report"]);
  expect(report.stdout).toContain("1 entry unknown");
  expect(report.stdout).toMatch(/\| Profile \|/);
  expect(JSON.parse((await night(["report", "--json"])).stdout).entries).toMatchObject([entry]);
  expect((await night(["activity", "verify", "1"])).code).toBe(0);
  expect(await list(day, "--outcome", "unknown")).toEqual([]);
});

test("an entry can be closed through another profile of its service", async () => {
  const { day, night, sandbox } = await openProfiles();
  sandbox.setFaults(["reset-after@notes"]);
  await day(note);
  expect((await night(["activity", "close", "1", "--reason", "seen"])).code).toBe(0);
  expect((await day(["check", "BULK", "--unknown-writes"])).code).toBe(0);
});

test("a run is listed and resumed through another profile of its service", async () => {
  const { night, elsewhere, file, sandbox, start } = await openProfiles();
  sandbox.setFaults(["latency=200ms@notes"]);
  await file("rows.csv", notesCsv(40));
  const cli = await start([
    "bulk",
    "run",
    "notes",
    "--from",
    "rows.csv",
    "--profile",
    "day",
    "--yes",
  ]);
  const run = runIn({ stderr: `${await cli.stderr.waitForLine(/^run /)}\n` });
  cli.kill("SIGINT");
  await cli.result;
  sandbox.setFaults([]);
  const listed = JSON.parse((await night(["bulk", "list", "--json"])).stdout);
  expect(listed).toMatchObject([{ run, profile: "day" }]);
  expect(JSON.parse((await elsewhere(["bulk", "list", "--json"])).stdout)).toEqual([]);
  expect((await night(["bulk", "resume", run, "--yes"])).code).toBe(0);
});
