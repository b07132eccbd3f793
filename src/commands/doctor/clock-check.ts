import type { TokenFacts } from "../../api/service.ts";
import { formatDuration } from "../../text/durations.ts";
import { type Check, ok, skipped, warn } from "./check.ts";

/**
 * What a token that was obtained just now tells about this machine's clock: one that seems to have
 * expired already was made by a clock well behind this one. The calls carry no other time.
 */
export function clockCheck(token: TokenFacts, now: number): Check {
  const { source, expiresAt } = token;
  if (source !== "obtained" || expiresAt === null)
    return skipped("clock", "not checked: nothing the service sent tells its time");
  const left = expiresAt - now;
  if (left <= 0)
    return warn(
      "clock",
      `a token obtained just now ended ${formatDuration(-left)} ago by this clock. Set this machine's clock right.`,
    );
  return ok("clock", "agrees with the life of the token just obtained; not measured closer");
}
