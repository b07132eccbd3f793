import { describe, expect, test } from "vitest";
import {
  createHooks,
  firstLine,
  type HookSurroundings,
  programEnvironment,
} from "../../../src/settings/custom/own-programs.ts";
import { sandboxProfile } from "../../../src/settings/settings.ts";
import { killGroup } from "../../helpers/kill-group.ts";
import { FORBIDDEN, HOSTILE } from "../../text/hostile.ts";
import { standIn } from "./programs.ts";

/** Hooks for one event, and what was reported about them. */
function hooksOf(argv: readonly string[], more: Partial<HookSurroundings> & { env?: object } = {}) {
  const problems: string[] = [];
  const hook = { entry: "hooks.on-final", argv, env: {}, writes: false, timeoutMs: 20_000 };
  const hooks = createHooks({
    hooks: { "on-final": [hook], "on-alert": [] },
    env: { PATH: process.env.PATH ?? "" },
    values: () => ({ profile: "here", environment: "test", now: "2026-11-22T10:00:00Z" }),
    writeLock: () => null,
    onProblem: (words) => problems.push(words),
    end: new AbortController().signal,
    killGroup,
    ...more,
  });
  return { hooks, problems };
}

const ended = {
  text: "Watch: ACME/EXT-1 COMPLETED",
  items: [
    { import_supplier: "ACME", external_account_number: "EXT-1", status: "COMPLETED" },
    { import_supplier: "ACME", external_account_number: "EXT-2", status: "UNKNOWN" },
  ],
};

describe("a hook", () => {
  test("runs once for an event, and reads what happened as JSON", async () => {
    const program = standIn();
    const { hooks, problems } = hooksOf([program.path, "--", "{text}"]);
    hooks.fire("on-final", ended);
    await hooks.idle();
    expect(problems).toEqual([]);
    const [call, ...others] = program.calls();
    expect(others).toEqual([]);
    expect(call?.args).toEqual(["--", ended.text]);
    expect(JSON.parse(call?.stdin ?? "")).toEqual({
      ...{ event: "on-final", ...ended, now: "2026-11-22T10:00:00Z" },
      ...{ profile: "here", environment: "test" },
    });
  });

  test("that names a value of an item runs for each item", async () => {
    const program = standIn();
    const { hooks } = hooksOf([program.path, "{external_account_number}", "{status}"]);
    hooks.fire("on-final", ended);
    await hooks.idle();
    const calls = program.calls().map(({ args }) => args.join(" "));
    expect(calls.sort()).toEqual(["EXT-1 COMPLETED", "EXT-2 UNKNOWN"]);
  });

  test("that fails is reported with its status and what it printed, made safe", async () => {
    const program = standIn("page", "printf '\\033[2Jno network\\n' >&2; exit 7");
    const { hooks, problems } = hooksOf([program.path]);
    hooks.fire("on-final", ended);
    await hooks.idle();
    expect(problems).toEqual(["hooks.on-final failed with status 7: ␛[2Jno network"]);
  });

  test("that is not there is reported, and the next event is fired all the same", async () => {
    const { hooks, problems } = hooksOf(["/nowhere/page"]);
    for (let at = 0; at < 2; at++) {
      hooks.fire("on-final", ended);
      await hooks.idle();
    }
    expect(problems).toHaveLength(2);
    expect(problems[0]).toBe("hooks.on-final: /nowhere/page was not found.");
  });

  test("that floods its output is ended, and stores little of it", async () => {
    const { hooks, problems } = hooksOf(["yes", "{text}"]);
    hooks.fire("on-final", ended);
    await hooks.idle();
    expect(problems).toEqual([]);
  });

  test("that hangs is stopped after its time, and others are not held up by it", async () => {
    const { hooks, problems } = hooksOf(["sleep", "600"], {
      hooks: {
        "on-final": [{ ...{ entry: "hooks.on-final", argv: ["sleep", "600"], env: {} }, ...slow }],
        "on-alert": [],
      },
    });
    hooks.fire("on-final", ended);
    await hooks.idle();
    expect(problems).toEqual(["hooks.on-final was stopped: it took longer than 1 s."]);
  });

  test("is killed when the console ends, without a word", async () => {
    const end = new AbortController();
    const { hooks, problems } = hooksOf(["sleep", "600"], { end: end.signal });
    hooks.fire("on-final", ended);
    end.abort();
    await hooks.idle();
    hooks.fire("on-final", ended);
    await hooks.idle();
    expect(problems).toEqual([]);
  });

  test("that writes is not run while writes are locked", async () => {
    const program = standIn();
    const hook = { entry: "hooks.on-final", argv: [program.path], env: {}, timeoutMs: 20_000 };
    const { hooks, problems } = hooksOf([], {
      hooks: { "on-final": [{ ...hook, writes: true }], "on-alert": [] },
      writeLock: () => "Writes to production are locked",
    });
    hooks.fire("on-final", ended);
    await hooks.idle();
    expect(program.calls()).toEqual([]);
    expect(problems).toEqual(["hooks.on-final was not run: Writes to production are locked."]);
  });

  test("gets no hostile value as an argument, and any as JSON", async () => {
    const program = standIn();
    const { hooks, problems } = hooksOf([program.path, "--", "{status}"]);
    const hostile = Object.values(HOSTILE);
    hooks.fire("on-final", { text: "x", items: hostile.map((status) => ({ status })) });
    await hooks.idle();
    const calls = program.calls();
    expect(calls.length + problems.length).toBe(hostile.length);
    for (const { stdin } of calls) expect(stdin).not.toMatch(FORBIDDEN);
    for (const words of problems) expect(words).not.toMatch(FORBIDDEN);
  });
});

const slow = { writes: false, timeoutMs: 1_000 };

test("programs of the user's get no secret of ours in their environment", () => {
  const env = {
    PATH: "/bin",
    SUPPLYLINE_API_KEY: "canary",
    SUPPLYLINE_TOKEN: "canary",
    PROXY_LOGIN: "me:canary",
  };
  const profile = { ...sandboxProfile, proxyCredentialEnv: "PROXY_LOGIN" };
  expect(programEnvironment(env, [profile])).toEqual({ PATH: "/bin" });
});

test("what a program prints is shown by its first line, safe and short", () => {
  expect(firstLine("\n  \n  \u001b[31mred\u001b[0m\nmore")).toBe("␛[31mred␛[0m");
  expect(firstLine(`${"x".repeat(10_000)}`)?.length).toBeLessThanOrEqual(200);
  expect(firstLine(" \n")).toBeNull();
});
