import type { SubmitEvent } from "../../writes/submit.ts";
import { eventWords } from "../../writes/words/events.ts";
import { speaksJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";

/**
 * Says something about a write under way, on stderr; not with `--quiet`. A script that asked for
 * JSON reads stderr too, where an error is to stand alone: only people see this.
 */
export function narrate({ globals, io, notice }: Invocation, text: string): void {
  if (speaksJson(globals) && io.stderr.isTTY !== true) return;
  notice(text);
}

/** How a command sends a write; `settleMs` is the wait before what can still be running is sent again. */
export function sendingOf(invocation: Invocation, settleMs: number | undefined) {
  const { io, globals } = invocation;
  return {
    signal: io.signal,
    onEvent: progressOf(invocation),
    timeoutMs: globals.timeoutMs,
    settleMs,
  };
}

/** Reports what happens to a write while it is under way. */
function progressOf(invocation: Invocation): (event: SubmitEvent) => void {
  const { clock } = invocation.io;
  return (event) => {
    if (isBrief(event)) return;
    const words = eventWords(event, clock.now());
    if (words !== null) narrate(invocation, words);
  };
}

/** Lines of a log stay: what the next line says better is left out. */
function isBrief(event: SubmitEvent): boolean {
  switch (event.kind) {
    case "sending":
      return event.n === 1;
    case "looking-up":
      return event.purpose === "before";
    default:
      return event.kind === "headers-sent";
  }
}
