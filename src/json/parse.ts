/** JSON text from elsewhere: bounded in depth, with exact numbers where they matter. */
import { jsonNumber } from "./value.ts";

/** JSON nested deeper than this is not parsed: no documented body comes near it. */
export const nestingLimit = 64;

/** Whether brackets outside strings are nested deeper than `limit`; the text need not be JSON. */
export function deeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth++;
      if (depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** A value with exact numbers. Throws a SyntaxError when the text is not JSON. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined ? jsonNumber(context.source) : value,
  );
}

/** Undefined when the text is not JSON or is nested too deeply. */
export function jsonOf(text: string): unknown {
  return parsedWith(JSON.parse, text);
}

/** The same with exact numbers. */
export function exactJsonOf(text: string): unknown {
  return parsedWith(parseExact, text);
}

function parsedWith(parse: (text: string) => unknown, text: string): unknown {
  try {
    return deeperThan(text, nestingLimit) ? undefined : parse(text);
  } catch {
    return undefined;
  }
}
