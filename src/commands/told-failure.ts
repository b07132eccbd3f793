import { toJson } from "../json/print.ts";
import { redact } from "../text/redact.ts";
import { safe } from "../text/sanitise.ts";
import { type Failure, failureJson } from "./failure.ts";

/** A failure as it is told on stderr, in words or as the object of `--json`; lines of its own. */
export function toldFailure(failure: Failure, asJson: boolean): string {
  if (asJson) return `${toJson({ error: failureJson(failure) })}\n`;
  const below = (failure.details ?? []).map((line) => `  ${safe(line)}\n`);
  return `supplyline: ${safe(failure.message)}\n${below.join("")}`;
}

/** Where a fault of ours came from, for whoever asked to see it; its first line quotes what others wrote. */
export function toldStack(fault: Error): string {
  const lines = redact(fault.stack ?? String(fault)).split("\n");
  return `${lines.map(safe).join("\n")}\n`;
}
