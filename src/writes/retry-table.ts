/**
 * Defines the failures of an attempt and the retry rules for them. Rules of a single kind of write
 * are in kinds/.
 */

export type AttemptFailure =
  /** The headers were not sent, so the service cannot have received the request. */
  | "never-sent"
  /** The service might have received the request, but its response is missing or unreadable. */
  | "no-answer"
  | "400"
  /** A 401 after the token was renewed. */
  | "401"
  | "403"
  | "404"
  | "429"
  /** A redirect, which is never followed. A server might redirect a POST after applying it. */
  | "3xx"
  /** A 409 or 423. The request was refused because of another request, perhaps the same. */
  | "409"
  /** Any other refusal, such as 405 or 413. */
  | "4xx"
  | "500"
  /** Any other 5xx, such as 502, 503 or 504: a gateway gave up. */
  | "5xx";

export type Rule =
  /** Send again, at most {@link maxResends} times. */
  | "resend"
  /** Send again if the service recognizes a repeated request, otherwise the outcome is unknown. */
  | "resend-if-deduplicated"
  /** The outcome is unknown, and the entry is never sent again automatically. */
  | "unknown"
  | "look-up"
  /** Wait for the time that the response requests, then send again. */
  | "wait-and-resend"
  | "stop"
  /** End, and refuse the same form from now on. */
  | "stop-and-block"
  /** The status is the result of a read, not a failure. */
  | "answer";

export type RetryRules = Readonly<Record<AttemptFailure, Rule>>;

export const commonRules = {
  "never-sent": "resend",
  "401": "stop",
  "403": "stop",
  "429": "wait-and-resend",
  "3xx": "unknown",
  "409": "stop",
  "4xx": "stop",
} as const;

export const deduplicatedRules: RetryRules = {
  ...commonRules,
  "no-answer": "resend-if-deduplicated",
  "400": "stop",
  "404": "stop",
  "500": "resend-if-deduplicated",
  "5xx": "resend-if-deduplicated",
};

const harmless = {
  ...commonRules,
  "3xx": "stop",
  "no-answer": "resend",
  "500": "resend",
  "5xx": "resend",
} as const;

export const validateRules: RetryRules = { ...harmless, "400": "stop", "404": "stop" };
export const readRules: RetryRules = { ...harmless, "400": "stop", "404": "answer" };

/** Maximum number of resends after the first attempt. */
export const maxResends = 3;

/** Number of consecutive 500s after which a payment instruction is not sent again automatically. */
export const maxVendorFailures = 3;
