/** The retry rules as data. The rules of a kind of write are in kinds/. */

/** The end of an attempt that was not confirmed. */
export type AttemptFailure =
  /** The headers were not sent: the service cannot have seen the request. */
  | "never-sent"
  /**
   * The service might have seen the request, but there is no complete answer, or a success that
   * cannot be read.
   */
  | "no-answer"
  | "400"
  /** 401 after the token was renewed. */
  | "401"
  | "403"
  | "404"
  | "429"
  /**
   * A redirect is never followed. A server might answer a POST with it after applying the request.
   */
  | "3xx"
  /** 409 or 423: refused because of another request, which might have been the same. */
  | "409"
  /** Any other refusal, such as 405 or 413. */
  | "4xx"
  | "500"
  /** 502, 503, 504 and the like: something on the way gave up. */
  | "5xx";

export type Rule =
  /** Send again, a few times (R). */
  | "resend"
  /** Send again if the service recognizes a repeated request, else unknown (RC). */
  | "resend-if-deduplicated"
  /** The outcome is unknown, and the entry is never sent again automatically (U). */
  | "unknown"
  /** Check if it exists (V). */
  | "look-up"
  /** Wait as long as the answer asks, then send again. */
  | "wait-and-resend"
  /** Over (X). */
  | "stop"
  /** End, and refuse the same form from now on. */
  | "stop-and-block"
  /** The status is an answer, not a failure (reads). */
  | "answer";

export type RetryRules = Readonly<Record<AttemptFailure, Rule>>;

/** The rules of every write. */
export const commonRules = {
  "never-sent": "resend",
  "401": "stop",
  "403": "stop",
  "429": "wait-and-resend",
  "3xx": "unknown",
  "409": "stop",
  "4xx": "stop",
} as const;

/** Retry rules for requests whose repetition the service recognizes. */
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

/** Sent again at most this many times after the first. */
export const mostResends = 3;

/** Number of consecutive 500s after which a payment instruction is left to the operator. */
export const mostVendorFailures = 3;
