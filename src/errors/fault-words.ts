/**
 * Describes defects of this program without quoting a value, because a message can contain a secret
 * or a body.
 */

import { capital } from "../text/connection-words.ts";
import { quoted } from "../text/service-words.ts";

/** Matches the usual form of an error's name. Code can set the name to any other text. */
const plainName = /^[A-Z][A-Za-z]{0,39}$/;
const plainCode = /^[A-Z][A-Z0-9_]{1,39}$/;
const plainFrame = /^ {4}at (?:[\w$.<>[\] ]{1,120} )?\(?(?:[^\s():]*:){0,3}[^\s():]*:\d+:\d+\)?$/;

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
 * Returns the message of a plain `Error` without a code of Node. For any other error, returns the
 * result of `faultFacts`, because the messages of V8, Node and libraries can quote values.
 */
export function faultReason(thrown: unknown): string {
  const isPlain = thrown instanceof Error && thrown.constructor === Error;
  const isCoded = isPlain && "code" in thrown && String(thrown.code).startsWith("ERR_");
  return isPlain && !isCoded ? quoted(capital(thrown.message)) : faultFacts(thrown);
}

export function formatStack(fault: Error): string {
  return `${[faultFacts(fault), ...framesOf(fault)].join("\n")}\n`;
}

/**
 * Returns the stack frames of an error. Skips the message before them, because it can have lines
 * that look like frames.
 */
function framesOf({ message, stack = "" }: Error): string[] {
  const messageStart = message === "" ? -1 : stack.indexOf(message);
  const afterMessage = messageStart === -1 ? stack : stack.slice(messageStart + message.length);
  return afterMessage.split("\n").filter((line) => plainFrame.test(line));
}
