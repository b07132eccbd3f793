import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { teamAccess, teamNames } from "../../src/settings/team-access.ts";
import { openFolders } from "../helpers/folders.ts";

const team = "postgresql://op1@db.example.com/ledger?sslmode=verify-full";

/** Returns the login of a profile whose home has a password file, if it is given. */
async function loginOf(
  file: string | null,
  env: Record<string, string> = {},
  profile: Parameters<typeof teamAccess>[0] = { team },
  mode = 0o600,
) {
  await using folders = await openFolders();
  const { home } = folders;
  const path = join(home, ".pgpass");
  if (file !== null) {
    await writeFile(path, file);
    await chmod(path, mode);
  }
  const environment: Record<string, string | undefined> = { PATH: process.env.PATH ?? "", ...env };
  const access = teamAccess(profile, { env: environment, home });
  return { login: await access?.login(), env: environment };
}

test("a profile without a team has no access, and its environment does not change", () => {
  const env = { PGPASSWORD: "one" };
  expect(teamAccess({}, { env, home: "/" })).toBeNull();
  expect(env).toEqual({ PGPASSWORD: "one" });
});

test("PGPASSWORD is removed from the environment, and a later connection still has it", async () => {
  const env: Record<string, string | undefined> = { PGPASSWORD: "one" };
  for (let times = 0; times < 2; times++) {
    const access = teamAccess({ team }, { env, home: "/nowhere" });
    expect(env).not.toHaveProperty("PGPASSWORD");
    expect(await access?.login()).toEqual({ user: "op1", password: "one" });
  }
});

test("a helper comes before PGPASSWORD, and that before the password file", async () => {
  const teamCredentialHelper = `sh -c 'printf %s "{\\"Username\\": \\"ci\\", \\"Password\\": \\"helped\\"}"'`;
  const env = { PGPASSWORD: "given" };
  const file = "*:*:*:*:filed\n";
  expect((await loginOf(file, env, { team, teamCredentialHelper })).login).toEqual({
    user: "ci",
    password: "helped",
  });
  expect((await loginOf(file, env)).login?.password).toBe("given");
  expect((await loginOf(file)).login?.password).toBe("filed");
  expect((await loginOf(null)).login?.password).toBeNull();
});

test.each([
  ["the first matching line", "db.example.com:5432:ledger:op1:first\n*:*:*:*:second\n", "first"],
  ["a line for another port", "db.example.com:1:ledger:op1:other\n", null],
  ["a line for another login", "*:*:*:op2:other\n", null],
  ["escaped colons and backslashes", "*:*:*:*:a\\:b\\\\c\n", "a:b\\c"],
  ["an unescaped colon in the password", "*:*:*:*:a:b\n", "a:b"],
  ["a comment", "#*:*:*:*:other\n", null],
  ["a line that is cut off", "*:*:*\n", null],
  ["line ends of Windows", "*:*:*:*:first\r\n", "first"],
])("of a password file, %s counts", async (_, file, password) => {
  expect((await loginOf(file)).login?.password).toBe(password);
});

test("a password file that others can read is refused", async () => {
  await expect(loginOf("*:*:*:*:filed\n", {}, { team }, 0o644)).rejects.toMatchObject({
    kind: "exposed",
  });
});

test("PGPASSFILE names another password file", async () => {
  const folders = await openFolders();
  const path = join(folders.home, "passwords");
  await writeFile(path, "*:*:*:*:elsewhere\n", { mode: 0o600 });
  expect((await loginOf(null, { PGPASSFILE: path })).login?.password).toBe("elsewhere");
});

test("the names of person and machine come from the environment, then from the system", () => {
  const given = { SUPPLYLINE_PERSON: "Ada", SUPPLYLINE_MACHINE: "bastion-2" };
  expect(teamNames(given)).toEqual({ person: "Ada", machine: "bastion-2" });
  expect(teamNames({}).machine).not.toBe("");
  expect(teamNames({}).person).not.toBe("");
  for (const name of ["a\u001b[2J", "a".repeat(101)])
    expect(() => teamNames({ SUPPLYLINE_PERSON: name })).toThrow(/SUPPLYLINE_PERSON/);
});
