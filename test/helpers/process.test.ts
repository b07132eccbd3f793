import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtProgram } from "./built-program.ts";
import { type Folders, openFolders } from "./folders.ts";
import { type RunOptions, runProgram, startProgram } from "./process.ts";

let place: Folders;
let written = 0;
beforeAll(async () => {
  place = await openFolders();
});
afterAll(() => place[Symbol.asyncDispose]());

/** A program of its own, as an entry that can be run. */
async function entryOf(source: string): Promise<string> {
  const entry = join(place.home, `entry-${written++}.mjs`);
  await writeFile(entry, source);
  return entry;
}

async function run(source: string, args: string[] = [], options: RunOptions = {}) {
  return runProgram([process.execPath, await entryOf(source)], args, options);
}

describe("a command run to its end", () => {
  test("has its exit code and both its outputs", async () => {
    const source = `console.log(process.argv[2]); console.error("oh"); process.exitCode = 7;`;
    expect(await run(source, ["two words"])).toEqual({
      code: 7,
      signal: null,
      stdout: "two words\n",
      stderr: "oh\n",
    });
  });

  test("reads what it is given, and the end of it", async () => {
    const source = `process.stdin.pipe(process.stdout);`;
    expect((await run(source, [], { input: "grüße" })).stdout).toBe("grüße");
    expect((await run(source)).stdout).toBe("");
  });

  test("has folders of its own, removed afterwards, and nothing of this environment", async () => {
    const source = `console.log(JSON.stringify(process.env));`;
    const env = JSON.parse((await run(source, [], { env: { EXTRA: "1" } })).stdout);
    expect(env).toMatchObject({ EXTRA: "1", LANG: "C.UTF-8" });
    expect(env.SUPPLYLINE_CONFIG_DIR).toContain(env.HOME);
    expect(Object.keys(env).filter((name) => /^(CI|VITEST|npm_|NODE_ENV)/.test(name))).toEqual([]);
    expect(existsSync(env.HOME)).toBe(false);
  });

  test("can be interrupted once it has said something", async () => {
    const source = `
      process.on("SIGINT", () => process.exit(130));
      setInterval(() => {}, 1000);
      console.error("polling");
    `;
    const result = await run(source, [], { signalAfter: { pattern: /^polling/m, on: "stderr" } });
    expect(result).toEqual({ code: 130, signal: null, stdout: "", stderr: "polling\n" });
  });
});

describe("a command that is running", () => {
  test("is waited for line by line, and answers", async () => {
    const source = `
      console.log("first");
      process.stdin.on("data", (line) => console.log("you said " + line));
    `;
    await using cli = await startProgram([process.execPath, await entryOf(source)], []);
    expect(await cli.stdout.waitForLine("fir")).toBe("first");
    cli.write("hello\n");
    expect(await cli.stdout.waitForLine(/you said/)).toBe("you said hello");
    cli.endInput();
    expect(await cli.result).toMatchObject({ code: 0 });
  });

  test("fails a wait at once when it ends without the line", async () => {
    await using cli = await startProgram(
      [process.execPath, await entryOf(`process.stdout.write("half a line")`)],
      [],
    );
    await expect(cli.stdout.waitForLine("half")).rejects.toThrow(
      "waited for a line with half on stdout; it has ended. It holds:\nhalf a line",
    );
  });

  test("finds no one reading when its reader is closed", async () => {
    const source = `
      process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 9 : 1));
      console.error("ready");
      process.stdin.on("end", () => console.log("anyone?")).resume();
    `;
    await using cli = await startProgram([process.execPath, await entryOf(source)], []);
    await cli.stderr.waitForLine("ready");
    cli.closeReader("stdout");
    cli.endInput();
    expect(await cli.result).toMatchObject({ code: 9 });
  });

  test("does not outlive the test", async () => {
    const cli = await startProgram(
      [process.execPath, await entryOf(`setInterval(() => {}, 1000)`)],
      [],
    );
    await cli[Symbol.asyncDispose]();
    expect(await cli.result).toMatchObject({ signal: "SIGKILL" });
  });
});

test("says how to build when there is nothing to run", () => {
  expect(() => builtProgram(place.home)).toThrow("npm run build");
});
