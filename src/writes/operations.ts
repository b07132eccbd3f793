/** The writes of the interface that are journalled, as plain facts (INTERFACE 4.1–4.4, 4.6). */

export type Operation =
  | "notes create"
  | "transactions create"
  | "statements create"
  | "payment-instructions create"
  | "supply-points create";

/** How an outcome that nobody knows can be found out afterwards. */
export type ReadBack =
  /** By looking at the import process (INTERFACE 4.7). */
  | { readonly by: "look-up" }
  /** By sending the same bytes again, which the service answers with "exists already". */
  | { readonly by: "checked-resend" }
  /** The interface has no way to read it back; `where` says where a person can look. */
  | { readonly by: "nothing"; readonly where: string };

export interface OperationFacts {
  /** Below the base URL. */
  readonly path: string;
  /** The field that holds the items; null when the request is one item. */
  readonly itemsField: "notes" | "transactions" | "statements" | null;
  /** One item, in words. */
  readonly item: string;
  readonly movesMoney: boolean;
  readonly readBack: ReadBack;
}

export const operations: Readonly<Record<Operation, OperationFacts>> = {
  "notes create": {
    path: "/v1/data-import/notes/create/",
    itemsField: "notes",
    item: "note",
    movesMoney: false,
    readBack: { by: "checked-resend" },
  },
  "transactions create": {
    path: "/v1/data-import/transactions/create/",
    itemsField: "transactions",
    item: "transaction",
    movesMoney: true,
    readBack: { by: "checked-resend" },
  },
  "statements create": {
    path: "/v1/data-import/historical-statements/create/",
    itemsField: "statements",
    item: "statement",
    movesMoney: false,
    readBack: {
      by: "nothing",
      where: "the account's statements on the platform's support pages",
    },
  },
  "payment-instructions create": {
    path: "/v1/data-import/payment-instruction/create/",
    itemsField: null,
    item: "payment instruction",
    movesMoney: true,
    readBack: {
      by: "nothing",
      where:
        "the account's payment instructions on the platform's support pages, and at the vendor",
    },
  },
  "supply-points create": {
    path: "/v2/data-import/supply-points/",
    itemsField: null,
    item: "supply point",
    movesMoney: false,
    readBack: { by: "look-up" },
  },
};

/** Narrows a word, for example from the journal. */
export function isOperation(word: string): word is Operation {
  return Object.hasOwn(operations, word);
}

/** INTERFACE 4.5; nothing is created by it, so it is not journalled. */
export const validateSupplyPointPath = "/v2/data-import/supply-points/validate/";
