import type { TokenFacts } from "../../api/service.ts";
import { formatDuration } from "../../text/durations.ts";
import { type Check, ok, skipped, warn } from "./check.ts";

/** Answers take time, and the Date header counts in seconds: less is no difference. Milliseconds. */
const tolerated = 60_000;

/** The time as the service reported it. */
interface ServiceTimes {
  /** By which this machine's clock is ahead of the Date header of an answer; null when there is none. */
  readonly aheadOfDate: number | null;
  /** The token in use; null where none could be had. */
  readonly token: TokenFacts | null;
  /** Epoch milliseconds at which the token came. */
  readonly tokenAt: number;
}

/**
 * Compares this machine's clock with the service's: with the Date header of its last answer, and
 * with the times in a token that was obtained just now.
 */
export function clockCheck({ aheadOfDate, token, tokenAt }: ServiceTimes): Check {
  const fresh = token?.source === "obtained" ? token : null;
  const aheadOfToken = fresh?.issuedAt === null || fresh === null ? null : tokenAt - fresh.issuedAt;
  for (const [ahead, source] of [
    [aheadOfDate, "the Date header of its answer"],
    [aheadOfToken, "the token that it issued just now"],
  ] as const) {
    if (ahead !== null && Math.abs(ahead) > tolerated) return warn("clock", apart(ahead, source));
  }
  if (fresh?.expiresAt !== undefined && fresh.expiresAt !== null && fresh.expiresAt <= tokenAt)
    return warn(
      "clock",
      `a token obtained just now ended ${formatDuration(tokenAt - fresh.expiresAt)} ago by this clock. Set this machine's clock right.`,
    );
  if (aheadOfDate === null && aheadOfToken === null)
    return skipped("clock", "not checked: the service sent no time");
  const largest = Math.max(Math.abs(aheadOfDate ?? 0), Math.abs(aheadOfToken ?? 0));
  return ok("clock", `agrees with the service's clock within ${formatDuration(seconds(largest))}`);
}

function apart(ahead: number, source: string): string {
  const side = ahead > 0 ? "ahead of" : "behind";
  return `this machine's clock is ${formatDuration(Math.abs(ahead))} ${side} the service's, by ${source}. Set this machine's clock right.`;
}

/** Rounded up, as the header has no parts of a second. */
function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000)) * 1_000;
}
