import { shellQuote } from "../../text/shell-quote.ts";

/** The command that goes on with a run; the profile only where it was named. */
export function resumeCommand(run: string, profile: string | undefined): string {
  const words = profile === undefined ? [] : ["--profile", shellQuote(profile)];
  return ["supplyline bulk resume", run, ...words].join(" ");
}
