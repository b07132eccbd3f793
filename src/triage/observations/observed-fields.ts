/** The output fields of changes and of stored observations, for the commands. */
import { utcInstant } from "../../text/dates.ts";
import { field } from "../../text/fields.ts";
import type { Change, StoredObservations } from "./observations.ts";

const utcText = "text, UTC";

/** The fields of a change. */
export const changeFields = {
  account: field(
    "external_account_number",
    "External account number",
    "text",
    "The external account number.",
    ({ external }: Change) => external,
  ),
  change: field(
    "change",
    "Change",
    "text",
    "`staged`, `imported`, `gone`, `returned`, `renumbered` (another service account number) or `removed` (was imported, no longer listed).",
    ({ change }: Change) => change,
  ),
  from: field(
    "from",
    "From",
    "text or null",
    "`pending`, `imported`, `gone` or `removed`, and null for a new account; for `renumbered` the service account number.",
    ({ from }: Change) => from,
  ),
  to: field("to", "To", "text or null", "The same afterwards.", ({ to }: Change) => to),
  seenAt: field(
    "seen_at",
    "Seen at",
    utcText,
    "When the list that shows it was requested.",
    ({ seenAt }: Change) => utcInstant(seenAt),
  ),
};

/** The fields of the stored observations of a supplier of one service. */
export const storedFields = {
  supplier: field(
    "import_supplier",
    "Supplier",
    "text",
    "The supplier code.",
    ({ supplier }: StoredObservations) => supplier,
  ),
  origin: field(
    "origin",
    "Service",
    "text",
    "The address of the service.",
    ({ origin }: StoredObservations) => origin,
  ),
  observations: field(
    "observations",
    "Observations",
    "number",
    "Complete lists that were recorded.",
    ({ observations }: StoredObservations) => observations,
  ),
  firstAt: field(
    "first_at",
    "First at",
    utcText,
    "When the first list was requested.",
    ({ firstAt }: StoredObservations) => utcInstant(firstAt),
  ),
  lastAt: field(
    "last_at",
    "Last at",
    utcText,
    "When the last list was requested.",
    ({ lastAt }: StoredObservations) => utcInstant(lastAt),
  ),
  accounts: field(
    "accounts",
    "Accounts",
    "number",
    "Accounts that are known, listed or not.",
    ({ accounts }: StoredObservations) => accounts,
  ),
  bytes: field(
    "bytes",
    "Bytes",
    "number",
    "Room on the disk, about.",
    ({ bytes }: StoredObservations) => bytes,
  ),
};
