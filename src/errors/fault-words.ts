/**
 * Describes faults of this program without quoting a value: a message can contain a secret or a
 * body.
 */

import { capital } from "../text/connection-words.ts";
import { quoted } from "../text/service-words.ts";

/** The form of an error's name. Any code can set it to something else. */
const plainName = /^[A-Z][A-Za-z]{0,39}$/;
const plainCode = /^[A-Z][A-Z0-9_]{1,39}$/;
/** A line of a stack: function and place. */
const plainFrame = /^ {4}at (?:[\w$.<>[\] ]{1,120} )?\(?(?:[^\s():]*:){0,3}[^\s():]*:\d+:\d+\)?$/;

/** Returns the kind of an error, its code and the place where it was thrown. */
export function faultFacts(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "A value that is not an error was thrown";
  const { name } = thrown;
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  const [, place] = /([\w.-]+:\d+:\d+)\)?$/.exec(framesOf(thrown)[0] ?? "") ?? [];
  const facts = [
    plainName.test(name) ? name : "Error",
    ...(plainCode.test(code) ? [code] : []),
    ...(place === undefined ? [] : [`at ${place}`]),
  ];
  return facts.join(" ");
}

/**
 * Returns the message of an error if it is a sentence of this program or of the system, else the
 * result of `faultFacts`, because engine and libraries quote the values that they failed on.
 */
export function faultReason(thrown: unknown): string {
  const isPlain = thrown instanceof Error && thrown.constructor === Error;
  const isCoded = isPlain && "code" in thrown && String(thrown.code).startsWith("ERR_");
  return isPlain && !isCoded ? quoted(capital(thrown.message)) : faultFacts(thrown);
}

/** Returns one line about the error, and the functions that led to it. */
export function formatStack(fault: Error): string {
  return `${[faultFacts(fault), ...framesOf(fault)].join("\n")}\n`;
}

/**
 * Returns the frames of an error. Its message precedes them, and can have lines that look like
 * frames.
 */
function framesOf({ message, stack = "" }: Error): string[] {
  const at = message === "" ? -1 : stack.indexOf(message);
  const below = at === -1 ? stack : stack.slice(at + message.length);
  return below.split("\n").filter((line) => plainFrame.test(line));
}
