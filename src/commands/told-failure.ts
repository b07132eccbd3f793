import { toJson } from "../text/json.ts";
import { safe } from "../text/sanitise.ts";
import { type Failure, failureJson } from "./failure.ts";

/** A failure as it is told on stderr, in words or as the object of `--json`; lines of its own. */
export function toldFailure(failure: Failure, asJson: boolean): string {
  if (asJson) return `${toJson({ error: failureJson(failure) })}\n`;
  const below = (failure.details ?? []).map((line) => `  ${safe(line)}\n`);
  return `supplyline: ${safe(failure.message)}\n${below.join("")}`;
}
