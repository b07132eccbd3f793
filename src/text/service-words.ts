/**
 * Quotes the texts of the service in messages: its detail, codes and field errors. Secrets are
 * removed.
 */
import type { FieldError, ServiceError } from "../api/errors.ts";
import { safe } from "./sanitize.ts";

const maxCharacters = 500;
const maxFieldErrors = 8;

/** Quotes a text from outside: without secrets, safe, on one line, of limited length. */
export function quoted(text: string): string {
  // A huge text is cut before it is redacted, because redacting is slow.
  const line = redact(text.slice(0, maxCharacters * 4))
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  const start = characters.slice(0, maxCharacters).join("");
  return safe(start) + (characters.length > maxCharacters ? "\u2026" : "");
}

function fieldErrorWords(error: FieldError, field: (attr: string) => string): string {
  const attr = error.attr === null ? "" : `${quoted(field(error.attr))}: `;
  const code = error.code === null ? "" : ` (${quoted(error.code)})`;
  return `${attr}${quoted(error.detail)}${code}`;
}

/**
 * Returns the service's detail and its field errors on one line, or null if there are none. `field`
 * returns the words for an `attr`.
 */
export function serviceWords(
  { facts }: ServiceError,
  field: (attr: string) => string,
): string | null {
  const { detail, errors = [] } = facts;
  const parts = detail === undefined ? [] : [quoted(detail)];
  parts.push(...errors.slice(0, maxFieldErrors).map((error) => fieldErrorWords(error, field)));
  if (errors.length > maxFieldErrors) parts.push(`and ${errors.length - maxFieldErrors} more`);
  const nonEmpty = parts.filter((part) => part !== "");
  return nonEmpty.length === 0 ? null : nonEmpty.join("; ");
}

export function statusAndCode(error: ServiceError): string {
  const { httpStatus, code } = error.facts;
  const parts = [
    ...(httpStatus === undefined ? [] : [String(httpStatus)]),
    ...(code === undefined ? [] : [quoted(code)]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

const HIDDEN = "[hidden]";

const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // A JSON Web Token, anywhere in the text.
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g, HIDDEN],
  [/\bsk_\w{8,}/g, HIDDEN],
  [/\b(Token|Bearer|Basic)\s+[\w.~+/=-]{16,}/gi, `$1 ${HIDDEN}`],
  [
    /((?:api[_-]?key|access[_-]?token|refresh[_-]?token|token|password|secret|authorization)["']?\s*[:=]\s*["']?)(?!(?:Token|Bearer|Basic)\b)[^\s"',;}&]{12,}/gi,
    `$1${HIDDEN}`,
  ],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]+@/gi, "$1"],
];

/**
 * Removes texts that look like a token, a key or a password. A message of the service can contain a
 * header of the request, and an error of a library a URL with a password.
 */
export function redact(text: string): string {
  return SECRETS.reduce(
    (redacted, [pattern, replacement]) => redacted.replace(pattern, replacement),
    text,
  );
}
