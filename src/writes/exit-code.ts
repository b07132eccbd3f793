import type { WriteResult } from "./submit/events.ts";

/** The exit code of a command that made one write, as the product promises it. */
export function exitCodeOf(
  result: Pick<WriteResult, "outcome" | "reason" | "mayHaveLanded" | "httpStatus" | "error">,
): number {
  switch (result.outcome) {
    case "confirmed":
    case "closed":
      return 0;
    case "unknown":
      return 7;
    case "rejected":
      return refusedCode(result.httpStatus);
    case "retryable":
      // After a redirect or a 429 it is known to have had no effect; after a 500 it is not.
      return result.mayHaveLanded ? 7 : 6;
    case "unsent":
      return unsentCode(result);
  }
}

function refusedCode(httpStatus: number | null): number {
  if (httpStatus === 401 || httpStatus === 403) return 3;
  return httpStatus === 404 ? 5 : 4;
}

function unsentCode({ reason, error }: Pick<WriteResult, "reason" | "error">): number {
  if (reason === "cancelled") return 130;
  if (reason === "credentials") return 3;
  if (reason === "sent-before" || reason === "refused-before") return 2;
  return error?.kind === "invalid-request" ? 2 : 6;
}
