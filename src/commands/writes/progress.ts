/** Reports the progress of commands and writes on stderr. */

import type { SubmitEvent } from "../../writes/send/events.ts";
import { eventWords } from "../../writes/words/events.ts";
import { printsJson } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";

/**
 * Prints the progress of a command on stderr, except with `--quiet`. With JSON it prints only to a
 * terminal, because an error must be the only object that a script reads on stderr.
 */
export function printProgress({ globals, io, notice }: Invocation, text: string): void {
  if (printsJson(globals) && io.stderr.isTTY !== true) return;
  notice(text);
}

/**
 * Returns the options for sending a write. `settleMs` is the wait before a request that might still
 * be running is sent again.
 */
export function sendingOf(invocation: Invocation, settleMs: number | undefined) {
  const { io, globals } = invocation;
  return {
    signal: io.signal,
    onEvent: progressOf(invocation),
    timeoutMs: globals.timeoutMs,
    settleMs,
  };
}

/** Returns a function that reports the events of a write. */
function progressOf(invocation: Invocation): (event: SubmitEvent) => void {
  const { clock } = invocation.io;
  return (event) => {
    if (isBrief(event)) return;
    const words = eventWords(event, clock.now());
    if (words !== null) printProgress(invocation, words);
  };
}

/** Returns true for an event without a line, because the next event explains more. */
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
