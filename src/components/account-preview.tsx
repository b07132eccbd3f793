/** Shows a preview of the account under the cursor of a list. */
import type { AccountRowView } from "../accounts/account-list-snapshot.ts";
import { useSession } from "../hooks/app.tsx";
import { useServiceNow } from "../hooks/now.ts";
import { useAccountPreview } from "../hooks/preview.ts";
import { useListed, usePaces } from "../hooks/verdict.ts";
import { checkedWords } from "../text/ages.ts";
import { shortInstant } from "../text/dates.ts";
import { timeOrNull } from "../triage/observations/listed-account.ts";
import { type ListedAccount, verdictOf } from "../triage/verdict.ts";
import { createdText } from "./account-columns.ts";
import type { Fact } from "./facts.tsx";
import { SubjectPreview } from "./subject-preview.tsx";

export type PreviewedAccount = Pick<
  AccountRowView,
  "external" | "service" | "created" | "createdAt" | "pendingSince" | "goneAt"
>;

export function AccountPreview(props: {
  readonly supplier: string;
  readonly row: PreviewedAccount;
  /** A change of this value reads the preview again. */
  readonly version: unknown;
  readonly isBelow?: boolean;
}) {
  const { supplier, row, isBelow = false } = props;
  const now = useServiceNow(10_000);
  const { timeline, error } = useAccountPreview(supplier, row.external, props.version);
  const checkedAt = timeline.at(-1)?.lastSeenAt ?? null;
  const session = useSession();
  const pace = usePaces(session, [supplier])(supplier);
  const machines = session.observations.machines(supplier);
  // The row of a gone account does not show until when it was pending, but the stored lists do.
  const isGone = !Number.isNaN(row.goneAt);
  const listed =
    useListed(supplier, row.external, props.version, isGone) ?? listedIn(row, machines);
  const verdict = verdictOf({
    kind: "account",
    timeline,
    listed,
    pace,
    everyMs: null,
    isAway: error !== null,
    now,
  });
  return (
    <SubjectPreview
      subject={{ kind: "account", supplier, number: row.external }}
      timeline={timeline}
      facts={isBelow ? [] : factsOf(row, now)}
      isBelow={isBelow}
      check={checkedAt === null ? null : checkedWords(checkedAt, now)}
      error={error}
      verdict={verdict}
      now={now}
    />
  );
}

/**
 * Returns what a row shows of an account, or null if it shows no time. The row has no time of its
 * list, which is not older than the times of the account.
 */
function listedIn(
  { goneAt, pendingSince, createdAt }: PreviewedAccount,
  machines: number | null,
): ListedAccount | null {
  const leftAt = timeOrNull(goneAt);
  const since = timeOrNull(pendingSince);
  const created = timeOrNull(createdAt);
  const at = leftAt ?? since ?? created;
  if (at === null) return null;
  return {
    state: leftAt !== null ? "gone" : since !== null ? "pending" : "imported",
    at,
    leftAt,
    pendingSince: since,
    pendingUntil: null,
    createdAt: created,
    machines,
  };
}

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
