import { toJson } from "../text/json.ts";
import { safe } from "../text/sanitise.ts";
import { type Failure, failureJson } from "./failure.ts";

/** A failure as it is told on stderr, in words or as the object of `--json`; a line of its own. */
export function toldFailure(failure: Failure, asJson: boolean): string {
  return asJson
    ? `${toJson({ error: failureJson(failure) })}\n`
    : `supplyline: ${safe(failure.message)}\n`;
}
