import { fieldsOf } from "../text/fields.ts";
import { sharedFields } from "../text/shared-fields.ts";
import type { AccountListItem } from "./ingest/batch.ts";

/** The ages of an account. Times are UTC, or null if they do not apply. */
export interface AccountAges {
  /** Start of the observed pending time. The account might be pending for longer. */
  readonly pending_since: string | null;
  /** Time of the first observed list with the account, or null if the ages cannot be read. */
  readonly first_seen_at: string | null;
  /** Time of the first list without the account, or null if the account is not gone. */
  readonly gone_at: string | null;
}

export type AgedItem = AccountListItem & AccountAges;

const item = fieldsOf<AccountListItem>();
const aged = fieldsOf<AgedItem>();

const maybeTime = "text, UTC, or null";

/** The fields of the service's lists of accounts (INTERFACE 4.9–4.11). */
export const listedFields = [
  item(...sharedFields.account, (of) => of.external_account_number),
  item(...sharedFields.serviceAccount, (of) => of.service_account_number),
  item(
    "account_created_at",
    "text",
    "The time at which the account was created; absent while pending.",
    (of) => of.account_created_at,
  ),
];

export const ageFields = {
  pendingSince: aged(
    "pending_since",
    maybeTime,
    "Only with `--ages`. The time of the first observed list with the account pending, since its last return; null if it is not pending or gone.",
    (of) => of.pending_since,
  ),
  firstSeen: aged(
    "first_seen_at",
    maybeTime,
    "Only with `--ages`. The time of the first observed list with the account; null if the observations cannot be read.",
    (of) => of.first_seen_at,
  ),
  goneAt: aged(
    "gone_at",
    maybeTime,
    "Only with `--ages`. The time of the first list without the pending account; null while it is listed.",
    (of) => of.gone_at,
  ),
};

export const agedFields = [...listedFields, ...Object.values(ageFields)];
