import { blockedBy } from "../writes/journal/changes.ts";
import type { State } from "../writes/journal/entry.ts";
import type { Rows } from "../writes/journal/rows.ts";
import { text, whole } from "../writes/journal/rows.ts";
import type { Writes } from "../writes/open-writes.ts";
import type { PreparedWrite } from "../writes/prepare.ts";

/** What the journal knows of the very form that is about to be sent. */
export interface SentBefore {
  /** The entry whose 400 blocks it; null when none does. */
  readonly blockedBy: number | null;
  /** An earlier write of the same form that has or may have landed, the gravest first. */
  readonly same: { readonly journalId: number; readonly state: State } | null;
}

/** The gravest that is known of any of these writes. Throws JournalError. */
export function sentBefore(writes: Writes, parts: readonly PreparedWrite[]): SentBefore {
  const known = parts.map((part) => knownOf(writes, part));
  const same = known.flatMap((one) => one.same ?? []);
  return {
    blockedBy: known.find((one) => one.blockedBy !== null)?.blockedBy ?? null,
    same: same.find(({ state }) => state !== "confirmed") ?? same[0] ?? null,
  };
}

/** Looks for earlier writes of the same form to the same service. */
function knownOf(writes: Writes, { form, facts }: PreparedWrite): SentBefore {
  const { journal, service } = writes.context;
  return journal.read((rows) => ({
    blockedBy: blockedBy(rows, service.baseUrl, form),
    same: sameForm(rows, service.baseUrl, form, facts.target.importSupplier),
  }));
}

function sameForm(rows: Rows, baseUrl: string, form: string, supplier: string) {
  const row = rows.get(
    `SELECT id, state FROM intent
     WHERE import_supplier = ? AND form = ? AND base_url = ?
       AND state IN ('intent', 'sending', 'unknown', 'retryable', 'confirmed')
     ORDER BY state = 'confirmed', id DESC LIMIT 1`,
    supplier,
    form,
    baseUrl,
  );
  return row === undefined
    ? null
    : { journalId: whole(row, "id"), state: text(row, "state") as State };
}
