import type { WriteResult } from "../../writes/send/events.ts";
import { type ExitCode, exitCode } from "../exit-codes.ts";

/** Returns the exit code of a command that made one write. */
export function exitCodeOf(
  result: Pick<WriteResult, "outcome" | "reason" | "mayHaveTakenEffect" | "httpStatus" | "error">,
): ExitCode {
  switch (result.outcome) {
    case "confirmed":
    case "closed":
      return exitCode.done;
    case "unknown":
      return exitCode.unknownOutcome;
    case "rejected":
      return refusedCode(result.httpStatus);
    case "retryable":
      // After a 429 no effect is possible. After a 500 it is.
      return result.mayHaveTakenEffect ? exitCode.unknownOutcome : exitCode.unavailable;
    case "unsent":
      return unsentCode(result);
  }
}

function refusedCode(httpStatus: number | null): ExitCode {
  if (httpStatus === 401 || httpStatus === 403) return exitCode.credentials;
  return httpStatus === 404 ? exitCode.notFound : exitCode.rejected;
}

function unsentCode({ reason, error }: Pick<WriteResult, "reason" | "error">): ExitCode {
  if (reason === "cancelled") return exitCode.interrupted;
  if (reason === "credentials") return exitCode.credentials;
  if (reason === "sent-before" || reason === "refused-before") return exitCode.usage;
  return error?.kind === "invalid-request" ? exitCode.usage : exitCode.unavailable;
}
