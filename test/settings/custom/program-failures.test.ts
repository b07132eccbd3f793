import type { ProgramResult } from "../../../src/settings/custom/run-bounded.ts";
import {
  failureWords,
  firstLine,
  programEnvironment,
} from "../../../src/settings/custom/run-bounded.ts";
import { sandboxProfile } from "../../../src/settings/settings.ts";

const ended = {
  kind: "ended",
  code: 0,
  signal: null,
  stdout: "",
  stderr: "",
  isCut: false,
} as const;
const outcomes: readonly (readonly [ProgramResult, string | null])[] = [
  [ended, null],
  [{ ...ended, code: null, signal: "SIGPIPE", isCut: true }, null],
  [
    { ...ended, code: 7, stderr: "\u001b[2Jno network\nmore" },
    "ticket failed with status 7: ␛[2Jno network",
  ],
  [{ ...ended, code: null, signal: "SIGSEGV" }, "ticket was ended by SIGSEGV."],
  [{ kind: "stopped", reason: "late" }, "ticket was stopped: it took longer than 30 s."],
  [{ kind: "stopped", reason: "canceled" }, "ticket was stopped."],
  [{ kind: "failed", words: "/a was not found" }, "ticket: /a was not found."],
];

test.each(outcomes)("a program that ended as %j is reported in safe words", (ran, words) => {
  expect(failureWords("ticket", ran, 30_000)).toBe(words);
});

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
