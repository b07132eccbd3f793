/** A form that is being filled in; it survives a lost connection and the end of the program. */
export interface Draft {
  readonly id: string;
  /** Which payload (see `forms`): notes, transactions, statements, payment-instructions, supply-points. */
  readonly kind: string;
  readonly profile: string;
  readonly supplier: string;
  /** Null for supply points, and for what is composed for several accounts. */
  readonly account: string | null;
  /** What was typed, as the form's own tree of texts; JSON. */
  readonly value: unknown;
  /** Query options of the request (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, boolean>>;
  /** Fields can be missing that the interface does not call required: the user has said so. */
  readonly allowMissing?: true;
  /** The entry of the journal that it was filled with; absent for one that began empty. */
  readonly fromEntry?: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** What the service refused in it, shown at the fields: path in the body (empty: above the form), words. */
  readonly refusals: readonly {
    readonly path: readonly (string | number)[];
    readonly message: string;
  }[];
  /** The journal entry it was last sent as; gone as soon as something else is typed. */
  readonly sentAs?: number;
  /** What came back from the editor and could not go into the form, until it is said what becomes of it. */
  readonly edited?: string;
  /** The field that `edited` is the text of; without it, it is the whole payload as JSON. */
  readonly editedField?: readonly (string | number)[];
}

/** Drafts as they are kept in the state folder, a file each, readable by the user alone. */
export interface Drafts {
  /** Of one profile, the latest first. A file that cannot be read is left out and left alone. */
  list(profile: string): readonly Draft[];
  find(id: string): Draft | null;
  /** Written at once and whole; throws SettingsError `unwritable`. */
  save(draft: Draft): void;
  remove(id: string): void;
}
