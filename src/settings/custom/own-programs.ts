/** Describes the failures of the user's programs, and builds their environment. */
import { safe } from "../../text/sanitise.ts";
import { truncate } from "../../text/width.ts";
import type { Profile } from "../schemas.ts";
import type { ProgramResult } from "./run-bounded.ts";

/**
 * Returns the reason why a program failed as one line that is safe to show, or null if it
 * succeeded.
 */
export function problemWords(entry: string, ran: ProgramResult, timeoutMs: number): string | null {
  switch (ran.kind) {
    case "failed":
      return safe(`${entry}: ${ran.words}.`);
    case "stopped":
      return ran.why === "canceled"
        ? `${entry} was stopped.`
        : `${entry} was stopped: it took longer than ${Math.round(timeoutMs / 1_000)} s.`;
    case "ended": {
      // A program whose output was cut off can fail because of that.
      if (ran.code === 0 || ran.isCut) return null;
      const how = ran.by === null ? `failed with status ${ran.code}` : `was ended by ${ran.by}`;
      const said = firstLine(ran.stderr) ?? firstLine(ran.stdout);
      return `${entry} ${how}${said === null ? "." : `: ${said}`}`;
    }
  }
}

/** Returns the first line with text, short and safe to show, or null if there is none. */
export function firstLine(text: string): string | null {
  const line = text.split("\n", 200).find((one) => one.trim() !== "");
  return line === undefined ? null : truncate(safe(line.trim()), 200);
}

/**
 * Returns the environment of the user's programs: the console's environment without API key, token
 * and proxy passwords.
 */
export function programEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  profiles: readonly Profile[],
): Readonly<Record<string, string | undefined>> {
  const hidden = new Set<string | undefined>([
    ...["SUPPLYLINE_API_KEY", "SUPPLYLINE_TOKEN"],
    ...profiles.map(({ proxyCredentialEnv }) => proxyCredentialEnv),
  ]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)));
}
