/** The words of the first screen and of the header, for the help. */
import { marked, type StatusWords, type Tone } from "../../text/describe-status.ts";
import { type OpenKind, openTones } from "../../triage/open/open.ts";

const word = (label: string, meaning: string, tone: Tone = "muted"): StatusWords => ({
  label,
  meaning,
  tone,
  mark: " ",
});

export const boardWords: readonly StatusWords[] = [
  word("!", "Something needs you: Needs you says what. The worst supplier comes first.", "bad"),
  word("Imported, %", "The share of the supplier's listed accounts that exist.", "ok"),
  word("▒", "The part of the bar for gone accounts, at least one cell wide.", "bad"),
  word("Pending", "Accounts that are staged and not created yet."),
  word("Oldest", "How long the account that is pending longest has been seen pending."),
  word("Gone", "Accounts that were pending, left the list, and were never imported.", "bad"),
  word("Unknown", "Entries of your journal whose outcome is not known yet.", "unknown"),
  word("Over 1 d", "Accounts that have been pending for more than a day."),
  word("6 h", "Imports of the last six hours, one bar for each hour, the newest on the right."),
  word("per h", "Imports of the last hour."),
  word("Left", "The time until the rest could be imported, as a range."),
  word("Figures of", "The age of the figures, if they are older than five minutes."),
  word("≥", "At least: the number or the age can be higher, because supplyline saw only a part."),
  word("–", "Not known, or too little to say."),
];

/** Open work of a team's colleagues. Its words explain themselves, and without a team it does not exist. */
type OwnKind = Exclude<OpenKind, "team-unknown" | "team-retryable">;

const headerMeanings: Readonly<Record<OwnKind, readonly [label: string, meaning: string]>> = {
  unknown: ["2 unknown", "Entries that might have taken effect. Verify them in Activity."],
  "watched-failed": ["1 watched failed", "Watched accounts that failed or were not found."],
  "watched-unchecked": ["1 watched not checked", "The last check of a watched account failed."],
  gone: ["1 gone", "Accounts that left a list without being imported."],
  unlisted: ["9 unlisted", "Accounts of your cohorts that are on no list."],
  "held-back": ["1 list held back", "An empty or much shorter list that you have to confirm."],
  rejected: ["2 rejected", "Entries that the service refused."],
  "rejected-rows": ["3 rows rejected", "Rows of bulk runs that the service refused."],
  runs: ["1 run stopped", "Bulk runs that have rows left."],
  retryable: ["1 retryable", "Entries that failed and can be sent again unchanged."],
  unsent: ["1 unsent", "Entries that were recorded and not sent."],
  watched: ["watching 1", "Entries of the watch list that have not ended."],
  "entries-unread": ["entries not known", "The journal could not be read."],
  "watch-unread": ["watch list not known", "The watch list could not be read."],
  "cohorts-unread": ["cohorts not known", "The cohorts could not be read."],
  "not-loaded": ["1 list not loaded", "The list of a supplier could not be loaded."],
  "gone-uncounted": ["gone accounts of 1 supplier not known", "No complete list was loaded yet."],
  "cohorts-uncounted": ["1 cohort not known", "The supplier of a cohort has no complete list yet."],
};

export const headerWords: readonly StatusWords[] = Object.entries(headerMeanings).map(
  ([kind, [label, meaning]]) => ({
    ...marked(openTones[kind as OpenKind], label),
    meaning,
  }),
);
