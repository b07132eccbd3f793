/**
 * Defines the facts that each kind of write provides (INTERFACE 4.1–4.4, 4.6), such as its path,
 * retry rules and results. Each kind has its own file in this folder.
 */

import type { FormKind } from "../../forms/forms.ts";
import type { JsonObject } from "../../json/exact.ts";
import type { RetryRules } from "../retry-table.ts";

export type Operation = `${FormKind} create`;

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

export function numberOf(target: Target): string {
  return target.kind === "account" ? target.externalAccountNumber : target.externalIdentifier;
}

/** A body parsed with exact numbers. */
export type Payload = Readonly<Record<string, unknown>>;

export type Query = Readonly<Record<string, string>>;

/** The facts that sending needs. They are always from the bytes, so that a resend has the same. */
export interface BodyFacts {
  readonly target: Target;
  /** The items, parsed with exact numbers. A body without a list of items has one. */
  readonly items: readonly unknown[];
  readonly labels: readonly string[];
  readonly payload: Payload;
}

/**
 * The outcome of one item. `exists` also confirms the item: it already existed. `not-reached`: an
 * earlier item ended the request.
 */
export type ItemOutcome = "created" | "exists" | "rejected" | "not-reached" | "unknown";

export interface Item {
  readonly position: number;
  /** The name of the item, for example a transaction_id, or null if it was purged. */
  readonly label: string | null;
  readonly outcome: ItemOutcome;
  readonly status: string | null;
}

/** The places in a response with the names of items (INTERFACE 4). */
export interface ResultKey {
  readonly fields: readonly string[];
  /** Returns the name of a sent item, or null if its response can have any name. */
  readonly sent: (item: unknown) => string | null;
  /** Returns the parts of a response that are each about one item, without the response itself. */
  readonly results: (response: unknown) => readonly unknown[];
  /** The other fields of an item that must match the response, each with its comparison. */
  readonly compared?: Readonly<Record<string, (sent: string, named: string) => boolean>>;
}

/** A documented 2xx response that names only sent items. */
interface Success {
  readonly httpStatus: number;
  readonly body: string;
  /** The results in the order of the request, or null if there is not one result for each item. */
  readonly results: readonly unknown[] | null;
}

/** The documented kinds of a rejection by 400 (INTERFACE 4.2, 7.1, 7.3). */
export type Refused =
  | { readonly kind: "validation" }
  /** A transaction failed. `transactionId` is null if the response does not name it. */
  | { readonly kind: "transaction"; readonly transactionId: string | null }
  | { readonly kind: "other" };

export interface Refusal {
  /** True if some items might have taken effect although the request was refused. */
  readonly partly: boolean;
  readonly items: readonly Item[];
}

export type VerificationMethod =
  /** A look-up of the import process (INTERFACE 4.7). supplyline also does it before sending. */
  | { readonly by: "look-up" }
  /**
   * A resend of the same bytes, which the service answers with "already exists". `otherwise` is the
   * message for a request that the service would not recognize.
   */
  | { readonly by: "checked-resend"; readonly otherwise: string }
  /** No way exists in the interface. `where` names a place to check by hand. */
  | { readonly by: "nothing"; readonly where: string };

export interface KindFacts<Kind extends FormKind = FormKind> {
  readonly form: Kind;
  readonly path: string;
  /** The field with the items, or null if the request is one item. */
  readonly itemsField: string | null;
  /** The field with the customer's identifier of an item, or null if there is none. */
  readonly idField: string | null;
  readonly identityOf: (item: unknown) => unknown;
  /** Returns the text or texts that name an item, also after its correction, or null. */
  readonly nameOf: (item: unknown) => string | readonly string[] | null;
  readonly item: string;
  readonly noun: string;
  readonly plural: string;
  readonly movesMoney: boolean;
  readonly readBack: VerificationMethod;
  readonly retries: RetryRules;
  /** The code of a 400 for an item that already exists. Absent if there is none. */
  readonly existsCode?: string;
  /** Reads a body. Throws a write error `invalid` for a body of another kind. */
  readonly readBody: (payload: Payload) => BodyFacts;
  /** Returns true if the service prevents a second effect of a resend of this request. */
  readonly isDeduplicated: (query: Query, items: readonly unknown[]) => boolean;
  /** Describes the effect of a second sending: `summary` in a few words, `words` in sentences. */
  readonly dedupe: {
    readonly summary: (deduplicated: boolean) => string;
    readonly words: (deduplicated: boolean, items: readonly unknown[]) => string;
  };
  readonly naming: ResultKey;
  readonly statuses: Readonly<Record<string, ItemOutcome>>;
  /**
   * Returns the items that a 2xx response confirms, or null if it does not confirm all. Such a
   * response might be incomplete.
   */
  readonly confirmed: (facts: BodyFacts, success: Success) => readonly Item[] | null;
  readonly refusal: (facts: BodyFacts, refused: Refused) => Refusal;
  /**
   * Returns the end of the sentence `Already exists …` for an item. `how` names the option to set,
   * in the command or the console. Default: the service skipped it.
   */
  readonly existing?: (item: unknown, attempts: number, how: string) => string;
  /** Returns a sentence about changes that the service might make to the items, or null. */
  readonly beforehand?: (query: Query) => string | null;
  /**
   * Returns the new date of each item that the service moved, in request order, and null for the
   * other items. Absent if the service never moves dates of this kind.
   */
  readonly movedDates?: (
    items: readonly unknown[],
    query: Query,
    response: string,
  ) => readonly (string | null)[];
  /** The names of an item's main fields, each null if this kind has no such field. */
  readonly contents: {
    readonly amount: string | null;
    readonly type: string | null;
    readonly date: string | null;
    readonly reference: string | null;
  };
  /** True if the user is shown the sum of the items' amounts. */
  readonly isSummed: boolean;
  readonly command: "from" | "operand" | { readonly options: readonly string[] };
  /**
   * Detects rows of a bulk run that differ but might be the same to the service. `key` returns null
   * for a row without a key, and `words` describes the consequence. Absent if this kind has no such
   * rows.
   */
  readonly sameRow?: {
    readonly key: (row: JsonObject) => readonly unknown[] | null;
    readonly words: (line: number, query: Query) => string;
  };
}

/** The path of the validation (INTERFACE 4.5), which creates nothing and is not journaled. */
export const validateSupplyPointPath = "/v2/data-import/supply-points/validate/";
