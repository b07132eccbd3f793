import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { profileSettings } from "../../src/settings/schemas.ts";
import { runCommand } from "../helpers/command.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";

let folders: Folders;
beforeAll(async () => {
  folders = await openFolders();
  const added = await run("profiles", "add", "live", "--base-url", "https://api.example.com");
  expect(added.code, added.stderr).toBe(0);
});

const run = (...words: string[]) => runCommand(words, { folders });
const inEnvironment = (env: Record<string, string>, ...words: string[]) =>
  runCommand(words, { folders, env });
const rowOf = async (key: string, env: Record<string, string> = {}, ...words: string[]) => {
  const { code, stdout, stderr } = await inEnvironment(
    env,
    "config",
    "get",
    key,
    "--json",
    ...words,
  );
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
};

test("config list prints every setting with its value, its source and its default", async () => {
  const { code, stdout } = await run("config", "list", "--json");
  expect(code).toBe(0);
  const rows = JSON.parse(stdout) as readonly Record<string, unknown>[];
  const { name: _, ...ofProfile } = profileSettings;
  expect(rows.map(({ key }) => key)).toEqual([
    ...Object.keys(ofProfile),
    ...["pollIntervalMs", "accountColumns", "watchBell", "reducedMotion", "recordObservations"],
  ]);
  expect(rows.find(({ key }) => key === "baseUrl")).toEqual({
    key: "baseUrl",
    value: "https://api.example.com",
    source: "file",
    default: "required",
    type: "URL, or null for the embedded sandbox",
    profile: "live",
  });
  expect(rows.find(({ key }) => key === "pollIntervalMs")).toEqual({
    key: "pollIntervalMs",
    value: 5000,
    source: "default",
    default: 5000,
    type: "1000 to 3600000",
    profile: null,
  });
});

test("a table shows values in the words that config set takes", async () => {
  const { stdout } = await run("config", "list");
  expect(stdout).toMatch(/^watchBell +true +default +true$/m);
  expect(stdout).toMatch(/^compression +- +default +auto$/m);
});

test("config set changes a preference, and an empty value brings the default back", async () => {
  expect((await run("config", "set", "pollIntervalMs", "10000")).code).toBe(0);
  expect(await rowOf("pollIntervalMs")).toMatchObject({ value: 10_000, source: "file" });
  expect((await run("config", "get", "pollIntervalMs")).stdout).toBe("10000\n");
  const { stderr } = await run("config", "set", "pollIntervalMs", "");
  expect(stderr).toBe("supplyline: pollIntervalMs is the default again.\n");
  expect(await rowOf("pollIntervalMs")).toMatchObject({ value: 5000, source: "default" });
  await run("config", "set", "accountColumns", "external, service");
  expect((await run("config", "get", "accountColumns")).stdout).toBe('["external","service"]\n');
  await run("config", "set", "accountColumns", "");
});

test("config set changes the profile in use as profiles edit does", async () => {
  const { code, stderr } = await run("config", "set", "compression", "off");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "supplyline: live is changed: compression.\n",
  });
  expect(await rowOf("compression")).toMatchObject({ value: "off", source: "file" });
  expect((await run("config", "set", "suppliers", "ACME,DONE")).code).toBe(0);
  expect(await rowOf("suppliers")).toMatchObject({ value: ["ACME", "DONE"] });
  expect((await run("config", "set", "readOnly", "true")).code).toBe(0);
  expect(await rowOf("readOnly")).toMatchObject({ value: true, source: "file" });
  for (const key of ["compression", "suppliers", "readOnly"])
    expect((await run("config", "set", key, "")).code, key).toBe(0);
  expect(await rowOf("readOnly")).toMatchObject({ value: false });
});

test("a flag and the environment stand above the file", async () => {
  expect(await rowOf("readOnly", {}, "--read-only")).toMatchObject({ value: true, source: "flag" });
  expect(await rowOf("recordObservations", { SUPPLYLINE_OBSERVE: "0" })).toMatchObject({
    value: false,
    source: "environment",
  });
  const proxy = await rowOf("proxy", { HTTPS_PROXY: "http://ada:hidden@gate:3128" });
  expect(proxy).toMatchObject({ value: "http://gate:3128/", source: "environment" });
  const adHoc = { SUPPLYLINE_BASE_URL: "http://127.0.0.1:1", SUPPLYLINE_BRAND: "acme" };
  expect(await rowOf("brand", adHoc)).toMatchObject({ value: "acme", source: "environment" });
  expect(await rowOf("authForm", adHoc)).toMatchObject({ value: "auto", source: "default" });
});

test.each([
  [["polIntervalMs", "1"], 'There is no setting "polIntervalMs". Did you mean pollIntervalMs?'],
  [["pollIntervalMs", "soon"], "Preference pollIntervalMs must be a whole number"],
  [["watchBell", "yes"], "Preference watchBell must be true or false"],
  [["baseUrl", ""], "Base URL must not be empty"],
  [["baseUrl", "ftp://x"], "Base URL must start with https://"],
  [["readOnly", "perhaps"], "ReadOnly must be true or false"],
  [["name", "other"], 'There is no setting "name"'],
])("config set %j changes nothing and says why", async (words, why) => {
  const file = join(folders.config, "profiles.json");
  const before = await readFile(file, "utf8");
  const { code, stderr } = await run("config", "set", ...words);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
  expect(await readFile(file, "utf8")).toBe(before);
});

test("a profile from the environment cannot be changed, and nothing is written", async () => {
  const env = { SUPPLYLINE_BASE_URL: "http://127.0.0.1:1" };
  const { code, stderr } = await inEnvironment(env, "config", "set", "brand", "acme");
  expect(code).toBe(2);
  expect(stderr).toContain("Nothing is saved for a profile from the environment");
});

test("without a profile, the preferences alone are listed", async () => {
  const empty = await openFolders();
  const { code, stdout, stderr } = await runCommand(["config", "list", "--format", "csv"], {
    folders: empty,
  });
  expect(code).toBe(0);
  expect(stdout.split("\n")[1]).toMatch(/^pollIntervalMs,5000,default,/);
  expect(stderr).toContain("No profile is chosen");
  const none = await runCommand(["config", "get", "brand"], { folders: empty });
  expect({ code: none.code, stderr: none.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining("Brand is a setting of a profile"),
  });
});

test("a settings file that others can read is refused", async () => {
  const open = await openFolders();
  await runCommand(["config", "set", "watchBell", "false"], { folders: open });
  await chmod(join(open.config, "preferences.json"), 0o644);
  const { code, stderr } = await runCommand(["config", "get", "watchBell"], { folders: open });
  expect(code).not.toBe(0);
  expect(stderr).toContain("chmod");
});
