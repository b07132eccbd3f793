/** The override of earlier entries, as a claim and a request for approval name it. */

/** An operator's override. It passes exactly the findings that it names. */
export interface LedgerOverride {
  readonly reason: string;
  readonly passes: readonly Pass[];
}

/** A finding that an override passes: an item, the kind of the finding and the earlier entry. */
interface Pass {
  readonly key: string;
  readonly kind: BarKind;
  /** The earlier entry, by its ID in the ledger or in the journal of this machine. */
  readonly entry: { readonly of: "ledger" | "journal"; readonly id: number };
}

/** The kind of a finding that bars a claim. */
export type BarKind = "sent-before" | "refused-before";
