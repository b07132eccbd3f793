/** Shows a preview of the account under the cursor of a list. */
import type { AccountRowView } from "../accounts/account-list-snapshot.ts";
import { useServiceNow } from "../hooks/now.ts";
import { useAccountPreview } from "../hooks/preview.ts";
import { checkedWords, shortInstant } from "../text/dates.ts";
import { createdText } from "./account-columns.ts";
import type { Fact } from "./facts.tsx";
import { SubjectPreview } from "./subject-preview.tsx";

/** The fields of a list row that the preview of an account shows. */
export type PreviewedAccount = Pick<
  AccountRowView,
  "external" | "service" | "created" | "createdAt" | "pendingSince" | "goneAt"
>;

/** Shows the status, ages, timeline and journal entries of the account under the cursor. */
export function AccountPreview(props: {
  readonly supplier: string;
  readonly row: PreviewedAccount;
  /** A change of this value reads the preview again. */
  readonly version: unknown;
  /** True if the preview is a few lines below the list, not beside it. */
  readonly isBelow?: boolean;
}) {
  const { supplier, row, isBelow = false } = props;
  const now = useServiceNow(10_000);
  const { timeline, error } = useAccountPreview(supplier, row.external, props.version);
  const checkedAt = timeline.at(-1)?.lastSeenAt ?? null;
  const isCompleted = timeline.at(-1)?.state === "COMPLETED";
  return (
    <SubjectPreview
      subject={{ kind: "account", supplier, number: row.external }}
      timeline={timeline}
      facts={isBelow ? [] : factsOf(row, now)}
      isBelow={isBelow}
      check={checkedAt === null ? null : checkedWords(checkedAt, now)}
      error={error}
      pendingSince={isCompleted ? Number.NaN : row.pendingSince}
      age={
        isCompleted && !Number.isNaN(row.createdAt) ? { label: "created", at: row.createdAt } : null
      }
      now={now}
    />
  );
}

/** Returns the facts that the list and the observations have about an account. */
function factsOf(row: PreviewedAccount, now: number): readonly Fact[] {
  const earliest = (ms: number) => `${shortInstant(ms, now)} or earlier`;
  const facts: Fact[] = [];
  if (!Number.isNaN(row.goneAt)) {
    facts.push({ label: "Gone since", value: shortInstant(row.goneAt, now) });
  }
  if (!Number.isNaN(row.pendingSince)) {
    facts.push({ label: "Pending since", value: earliest(row.pendingSince) });
  }
  if (row.service) facts.push({ label: "Service account", value: row.service });
  if (row.created !== null) facts.push({ label: "Created", value: createdText(row) });
  return facts;
}
