import { safe } from "./sanitize.ts";

export type Tone = "ok" | "busy" | "waiting" | "bad" | "muted" | "unknown";

export interface StatusWords {
  /** The status as received, safe to show. */
  readonly label: string;
  readonly meaning: string;
  readonly tone: Tone;
  readonly mark: string;
}

export const marks: Readonly<Record<Tone, string>> = {
  ok: "✓",
  busy: "●",
  waiting: "○",
  bad: "✗",
  muted: "–",
  unknown: "?",
};

type Meanings = ReadonlyMap<string, readonly [tone: Tone, meaning: string]>;

/** The account statuses in INTERFACE 3, "Account import status". */
const ACCOUNT: Meanings = new Map([
  ["IN_PROGRESS", ["busy", "A migration is creating the account."]],
  ["COMPLETED", ["ok", "The account has been created."]],
  [
    "UNKNOWN",
    [
      "waiting",
      "No account exists for this number: an earlier attempt failed, or none was ever made.",
    ],
  ],
]);

/**
 * The supply point statuses in INTERFACE 3, "Supply point import status". The interface does
 * not define them, so the meanings repeat their names.
 */
const SUPPLY_POINT: Meanings = new Map([
  ["PENDING", ["waiting", "The import is pending."]],
  ["IN_PROGRESS", ["busy", "The import is in progress."]],
  ["PROCESSED", ["ok", "The supply point has been processed and has its service identifier."]],
  ["ERRORED", ["bad", "The import is in error; the latest error says why."]],
  ["CANCELLED", ["muted", "The import was canceled."]],
  ["DRY_RUN_SUCCEEDED", ["ok", "The dry run succeeded."]],
  ["DRY_RUN_ERRORED", ["bad", "The dry run is in error; the latest error says why."]],
]);

/** The account statuses in INTERFACE 3. The service can add others. */
export const accountStatuses: readonly string[] = [...ACCOUNT.keys()];

/** The supply point statuses in INTERFACE 3. The service can add others. */
export const supplyPointStatuses: readonly string[] = [...SUPPLY_POINT.keys()];

export function marked(tone: Tone, label: string) {
  return { label, tone, mark: marks[tone] };
}

function words(status: string, meanings: Meanings): StatusWords {
  const [tone, meaning] = meanings.get(status) ?? [
    "unknown",
    status === ""
      ? "The service sent an empty status."
      : "Not a status that supplyline knows; shown as received.",
  ];
  return { ...marked(tone, status === "" ? "(empty)" : safe(status)), meaning };
}

/**
 * The states of an account in a list (INTERFACE 4.9), in addition to its import statuses (INTERFACE
 * 4.8).
 */
const LISTED: Meanings = new Map([
  ["pending", ["waiting", "The service lists the account as not imported yet."]],
  ["imported", ["ok", "The service lists the account as imported."]],
  ["removed", ["bad", "The account was imported, and the list does not have it anymore."]],
  [
    "gone",
    ["bad", "The account left the list without being imported, and no account exists for it."],
  ],
]);

/**
 * Describes the status of an account import. The service can add statuses, so any text is accepted.
 */
export function accountStatusWords(status: string): StatusWords {
  return words(status, LISTED.has(status) ? LISTED : ACCOUNT);
}

/**
 * Describes the status of a supply point import. The service can add statuses, so any text is
 * accepted.
 */
export function supplyPointStatusWords(status: string): StatusWords {
  return words(status, SUPPLY_POINT);
}

const NOT_FOUND = marked("bad", "NOT FOUND (404)");

/** The description of a 404, which is a separate state and not UNKNOWN. */
export const notFoundWords: Readonly<Record<"account" | "supply-point", StatusWords>> = {
  account: {
    ...NOT_FOUND,
    meaning: "The service has no account of this number for this supplier.",
  },
  "supply-point": {
    ...NOT_FOUND,
    meaning: "No import process matches this identifier for this supplier.",
  },
};
