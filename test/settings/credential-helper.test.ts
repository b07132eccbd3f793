import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { commandWords, runHelper } from "../../src/settings/credential-helper.ts";
import { eventually } from "../helpers/eventually.ts";
import { freshFolder, helperCommand, thrownBy } from "./settings-folder.ts";

const printing = (text: string) => `process.stdout.write(${JSON.stringify(text)});`;

/** Returns the credential of a helper with this output. */
function answerOf(text: string) {
  const { root } = freshFolder();
  return runHelper(helperCommand(root, printing(text)));
}

describe("a credential helper", () => {
  test("hands over a key, a token and when the token ends", async () => {
    const answer = await answerOf(
      '{"Version": 1, "ApiKey": "key-1", "Token": "tok-1", "Expiration": "2030-01-31T13:00:00+01:00"}\n',
    );
    expect(answer).toEqual({
      apiKey: "key-1",
      token: "tok-1",
      expiresAt: Date.UTC(2030, 0, 31, 12),
    });
  });

  test("may spell its names in lower case and say nothing else", async () => {
    expect(await answerOf('{"api_key": "key-1", "other": [1]}')).toEqual({ apiKey: "key-1" });
    expect(await answerOf('{"token": "tok-1"}')).toEqual({ token: "tok-1" });
  });

  test.each([
    ["canary", /JSON object/],
    ["", /JSON object/],
    ['["canary"]', /JSON object/],
    ["{}", /neither ApiKey nor Token/],
    ['{"ApiKey": "canary", "Version": 2}', /Version/],
    ['{"ApiKey": 7, "Token": "canary"}', /ApiKey is not a text/],
    ['{"ApiKey": ""}', /ApiKey is empty/],
    ['{"Token": "canary\\r\\nX-Evil: 1"}', /Token contains/],
    ['{"Token": "Token canary"}', /Token starts with a scheme word/],
    ['{"Token": "canary", "Expiration": "tomorrow"}', /Expiration/],
    ['{"Token": "canary", "Expiration": 1893499200}', /Expiration/],
  ])("that prints %s is refused without quoting it", async (printed, words) => {
    const error = await thrownBy(() => answerOf(printed));
    expect(error).toMatchObject({ kind: "helper", message: expect.stringMatching(words) });
    expect(inspect(error)).not.toContain("canary");
  });

  test("that fails is reported with its status and its output, made safe and short", async () => {
    const { root } = freshFolder();
    const command = helperCommand(
      root,
      `process.stdout.write('{"ApiKey": "canary"}');
       process.stderr.write("locked \\u001b[31mvault\\n" + "x".repeat(5000));
       process.exitCode = 3;`,
    );
    const error = await thrownBy(() => runHelper(command));
    expect(error).toMatchObject({ kind: "helper", message: expect.stringContaining("status 3") });
    const { message } = error as Error;
    expect(message).toContain("locked ␛[31mvault");
    expect(message.length).toBeLessThan(400);
    expect(inspect(error)).not.toContain("canary");
  });

  test("that a signal ended is reported as such", async () => {
    const { root } = freshFolder();
    const command = helperCommand(root, "process.kill(process.pid, 'SIGKILL');");
    await expect(runHelper(command)).rejects.toMatchObject({
      kind: "helper",
      message: expect.stringContaining("SIGKILL"),
    });
  });

  test("that does not exist is reported by its name, without its arguments", async () => {
    const error = await thrownBy(() => runHelper("/no/such/helper --password canary"));
    expect(error).toMatchObject({ kind: "helper" });
    expect(inspect(error)).toContain("/no/such/helper was not found");
    expect(inspect(error)).not.toContain("canary");
  });

  test("that hangs is given up on", async () => {
    const { root } = freshFolder();
    const command = helperCommand(root, "setInterval(() => {}, 1000);");
    await expect(runHelper(command, { timeoutMs: 50 })).rejects.toMatchObject({
      kind: "helper",
      message: expect.stringContaining("did not respond within 1 s"),
    });
  });

  test("is ended, by force if need be, when no one waits for it any more", async () => {
    const { root } = freshFolder();
    const note = join(root, "pid");
    const command = helperCommand(
      root,
      `import { renameSync, writeFileSync } from "node:fs";
       process.on("SIGTERM", () => {});
       writeFileSync(${JSON.stringify(`${note}.new`)}, String(process.pid));
       renameSync(${JSON.stringify(`${note}.new`)}, ${JSON.stringify(note)});
       setInterval(() => {}, 1000);`,
    );
    const stop = new AbortController();
    const running = runHelper(command, { signal: stop.signal });
    const pid = await eventually(() => Number(readFileSync(note, "utf8")));
    const reason = new Error("changed my mind");
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow());
    await expect(runHelper(command, { signal: stop.signal })).rejects.toBe(reason);
  });

  test("that floods its output is given up on", async () => {
    const { root } = freshFolder();
    const command = helperCommand(
      root,
      "const more = () => process.stdout.write('canary'.repeat(10000), more); more();",
    );
    const error = await thrownBy(() => runHelper(command));
    expect(error).toMatchObject({ kind: "helper", message: expect.stringContaining("far more") });
    expect(inspect(error)).not.toContain("canary");
  });

  test("that leaves something running behind it is still understood", async () => {
    const { root } = freshFolder();
    const command = helperCommand(
      root,
      `import { spawn } from "node:child_process";
       process.stdout.write('{"ApiKey": "key-1"}', () => {
         spawn("sleep", ["30"], { stdio: ["ignore", "inherit", "inherit"] }).unref();
       });`,
    );
    expect(await runHelper(command)).toEqual({ apiKey: "key-1" });
  });

  test("sees the environment it is given and no input", async () => {
    const { root } = freshFolder();
    const command = helperCommand(
      root,
      `import { readFileSync } from "node:fs";
       const input = readFileSync(0, "utf8");
       console.log(JSON.stringify({ ApiKey: process.env.VAULT + "/" + input.length }));`,
    );
    expect(await runHelper(command, { env: { VAULT: "work" } })).toEqual({ apiKey: "work/0" });
  });
});

describe("a helper's command", () => {
  test.each([
    ["op read  key", ["op", "read", "key"]],
    [" 'a b' \"c d\" e\\ f ", ["a b", "c d", "e f"]],
    ["a'b'\"c\"", ["abc"]],
    ["x '' \"\"", ["x", "", ""]],
    ['x "\\"\\\\\\$\\n" \'\\n\'', ["x", '"\\$\\n', "\\n"]],
    ["x $HOME ~ * | ; `id`", ["x", "$HOME", "~", "*", "|", ";", "`id`"]],
    ["", []],
  ])("%j is split as a shell would, expanding nothing", (command, words) => {
    expect(commandWords(command)).toEqual(words);
  });

  test.each(["a 'b", 'a "b', "a \\"])("%j is refused", async (command) => {
    await expect(runHelper(command)).rejects.toMatchObject({ kind: "invalid" });
  });
});
