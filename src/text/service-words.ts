/**
 * Quotes the service's own words in messages: its detail, its codes, and its issues, without
 * secrets.
 */
import type { FieldError, ServiceError } from "../api/errors.ts";
import { safe } from "./sanitize.ts";

const maxDetail = 500;
const maxFieldErrors = 8;

/** Quotes a text from outside: without secrets, safe, on one line, of limited length. */
export function quoted(text: string): string {
  // Cut first, well above the limit, so that redacting a huge text costs little.
  const flat = redact(text.slice(0, maxDetail * 4))
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(flat);
  const shown = characters.slice(0, maxDetail).join("");
  return safe(shown) + (characters.length > maxDetail ? "\u2026" : "");
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
export function serviceWords(error: ServiceError, field: (attr: string) => string): string | null {
  const { detail, errors = [] } = error.facts;
  const said = detail === undefined ? [] : [quoted(detail)];
  said.push(...errors.slice(0, maxFieldErrors).map((one) => fieldErrorWords(one, field)));
  if (errors.length > maxFieldErrors) said.push(`and ${errors.length - maxFieldErrors} more`);
  const words = said.filter((part) => part !== "");
  return words.length === 0 ? null : words.join("; ");
}

/** Describes a response by its status and code: ` (404, not_found)`. */
export function answered(error: ServiceError): string {
  const { httpStatus, code } = error.facts;
  const parts = [
    ...(httpStatus === undefined ? [] : [String(httpStatus)]),
    ...(code === undefined ? [] : [quoted(code)]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

const HIDDEN = "[hidden]";

const SECRETS: readonly (readonly [pattern: RegExp, shown: string])[] = [
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
 * Removes texts that look like a token, a key or a password. It is a second defense for text from
 * outside: a service can repeat a header, and a library an address.
 */
export function redact(text: string): string {
  return SECRETS.reduce((shown, [pattern, instead]) => shown.replace(pattern, instead), text);
}
