/**
 * The differences between kinds of write (INTERFACE 4.1–4.4, 4.6): one record each, beside this
 * file.
 */

import type { FormKind } from "../../forms/forms.ts";
import type { JsonObject } from "../../json/exact.ts";
import type { RetryRules } from "../retry-table.ts";

/** A recorded write, as named by the journal and the commands. */
export type Operation = `${FormKind} create`;

/** The subject of a write. */
export type Target =
  | {
      readonly kind: "account";
      readonly importSupplier: string;
      readonly externalAccountNumber: string;
    }
  | {
      readonly kind: "supply-point";
      readonly importSupplier: string;
      readonly externalIdentifier: string;
    };

/** A body parsed with exact numbers. */
export type Payload = Readonly<Record<string, unknown>>;

export type Query = Readonly<Record<string, string>>;

/**
 * The facts that the write path needs of a body. They are read from the bytes, so that a resend has
 * the same ones.
 */
export interface BodyFacts {
  readonly target: Target;
  /** The items, parsed with exact numbers. Operations that take one item have one. */
  readonly items: readonly unknown[];
  /** A name for each item, to distinguish them in the journal. */
  readonly labels: readonly string[];
  readonly payload: Payload;
}

/**
 * - `created`
 * - `exists`: it already existed, which also confirms
 * - `rejected`
 * - `not-reached`: an earlier item ended the request
 * - `unknown`
 */
export type ItemOutcome = "created" | "exists" | "rejected" | "not-reached" | "unknown";

export interface Item {
  readonly position: number;
  /** Its name, for example a transaction_id, or null once purged. */
  readonly label: string | null;
  readonly outcome: ItemOutcome;
  /** The service's word for the result. */
  readonly status: string | null;
}

/** The places where a response names the items of a kind (INTERFACE 4). */
export interface ResultKey {
  /** The fields that name an item. */
  readonly fields: readonly string[];
  /** Returns the name of an item that was sent, or null if its response may have any name. */
  readonly sent: (item: unknown) => string | null;
  /**
   * Returns the parts of a response that are each about one item, in addition to the response
   * itself.
   */
  readonly results: (answer: unknown) => readonly unknown[];
  /** Other fields of an item that must not differ, each with its comparison. */
  readonly compared?: Readonly<Record<string, (sent: string, named: string) => boolean>>;
}

/** A 2xx of the documented shape that names no item that was not sent. */
interface Success {
  readonly httpStatus: number;
  readonly body: string;
  /** The results in the order of the request, or null if there is not one for each item. */
  readonly results: readonly unknown[] | null;
}

/** A 400 as far as it is documented (INTERFACE 4.2, 7.1, 7.3). */
export type Refused =
  /** The payload failed validation as a whole. */
  | { readonly kind: "validation" }
  /** A transaction failed. `transactionId` is null if the response does not name it. */
  | { readonly kind: "transaction"; readonly transactionId: string | null }
  | { readonly kind: "other" };

/** The effect of a 400. */
export interface Refusal {
  /** True if some items might have taken effect although the request was refused. */
  readonly partly: boolean;
  readonly items: readonly Item[];
}

/** The way to find out an unknown outcome afterwards. */
export type VerificationMethod =
  /** A look-up of the import process (INTERFACE 4.7), which is also done before the sending. */
  | { readonly by: "look-up" }
  /**
   * A resend of the same bytes, which the service answers with "exists already". `otherwise` is the
   * sentence for a request that it would not recognize.
   */
  | { readonly by: "checked-resend"; readonly otherwise: string }
  /** No way, because the interface has none. `where` names a place to look. */
  | { readonly by: "nothing"; readonly where: string };

export interface KindFacts {
  /** The path below the base URL. */
  readonly path: string;
  /** The field with the items, or null if the request is one item. */
  readonly itemsField: string | null;
  /** The field with the customer's identifier of an item, or null if there is none. */
  readonly idField: string | null;
  /** The word for one item. */
  readonly item: string;
  /** The word for one write, in lists. */
  readonly noun: string;
  /** The plural of the noun. */
  readonly plural: string;
  readonly movesMoney: boolean;
  readonly readBack: VerificationMethod;
  readonly retries: RetryRules;
  /** The code of a 400 for an item that already exists, or null if there is none. */
  readonly existsCode: string | null;
  /** Reads a body. Throws a write error `invalid` for a body of another kind. */
  readonly readBody: (payload: Payload) => BodyFacts;
  /** Returns true if the service keeps a resend of such a request from taking effect twice. */
  readonly isDeduplicated: (query: Query, items: readonly unknown[]) => boolean;
  /** Describes the effect of a second sending: in a few words, and as sentences. */
  readonly dedupe: {
    readonly summary: (deduplicated: boolean) => string;
    readonly words: (deduplicated: boolean, items: readonly unknown[]) => string;
  };
  /** The places where responses name the items. */
  readonly naming: ResultKey;
  /** The statuses of results that confirm an item. */
  readonly statuses: Readonly<Record<string, ItemOutcome>>;
  /**
   * Returns the items that a 2xx confirms, or null for anything less than all: the response might
   * be cut short.
   */
  readonly confirmed: (facts: BodyFacts, success: Success) => readonly Item[] | null;
  /** Returns the effect of a 400. */
  readonly refusal: (facts: BodyFacts, refused: Refused) => Refusal;
  /**
   * Returns the end of the sentence `Already exists …` for an item. `how` names the option of a
   * face.
   */
  readonly existing: (item: unknown, attempts: number, how: string) => string;
  /** Returns a sentence about changes that the service might make, or null if it makes none. */
  readonly beforehand?: (query: Query) => string | null;
  /**
   * Reads from a response the date that each item was moved to, in request order, or null for an
   * item that was not moved. Null if this kind never moves dates.
   */
  readonly movedDates:
    | ((items: readonly unknown[], query: Query, response: string) => readonly (string | null)[])
    | null;
  /** The fields of an item with its main contents, each null if the kind has none. */
  readonly contents: {
    readonly amount: string | null;
    readonly type: string | null;
    /** The date of a single item. */
    readonly date: string | null;
    readonly reference: string | null;
  };
  /**
   * Returns the amounts of a body, digit for digit. Null if rows have no amounts that could be
   * added up.
   */
  readonly amounts: ((payload: Payload) => readonly string[]) | null;
  /** The input of the command: a file, an operand, or options with these names. */
  readonly command: "from" | "operand" | { readonly options: readonly string[] };
  /**
   * Detects two rows of a bulk run that the service might take for the same although they differ,
   * and describes the consequence. The key of a row is null if it has none. Null if this kind has
   * no such rows.
   */
  readonly sameRow: {
    readonly key: (row: JsonObject) => readonly unknown[] | null;
    readonly words: (line: number, query: Query) => string;
  } | null;
}

/** INTERFACE 4.5. It creates nothing, so it is not recorded in the journal. */
export const validateSupplyPointPath = "/v2/data-import/supply-points/validate/";
