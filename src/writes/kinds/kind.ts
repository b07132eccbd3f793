/** What differs by kind of write (INTERFACE 4.1–4.4, 4.6); one record each, beside this file. */

import type { FormKind } from "../../forms/forms.ts";
import type { JsonObject } from "../../json/exact.ts";
import type { RetryRules } from "../retry-table.ts";

/** A journalled write, as the journal and the commands name it. */
export type Operation = `${FormKind} create`;

/** Whom a write is about. */
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

/** What the write path must know of a body; read from the bytes, so that a resend knows the same. */
export interface BodyFacts {
  readonly target: Target;
  /** The items as parsed with exact numbers; one for operations that take one. */
  readonly items: readonly unknown[];
  /** A name for each item, to distinguish them in the journal. */
  readonly labels: readonly string[];
  readonly payload: Payload;
}

/**
 * - `created` · `exists`: it existed already, which confirms as well
 * - `rejected` · `not-reached`: an earlier item ended the request
 * - `unknown`
 */
export type ItemOutcome = "created" | "exists" | "rejected" | "not-reached" | "unknown";

export interface Item {
  readonly position: number;
  /** Its name, for example a transaction_id; null once purged. */
  readonly label: string | null;
  readonly outcome: ItemOutcome;
  /** The service's own word for it. */
  readonly status: string | null;
}

/** What a success (2xx) confirms. */
export type Confirmation =
  | { readonly kind: "confirmed"; readonly items: readonly Item[] }
  | { readonly kind: "unreadable" }
  /** It names what was not sent; `difference` is a sentence, with untrusted text in it. */
  | { readonly kind: "other-item"; readonly difference: string };

/** What a 400 leaves behind. */
export interface Refusal {
  /** Whether some item might have taken effect although the request was refused. */
  readonly partly: boolean;
  readonly items: readonly Item[];
}

/** How an unknown outcome can be found out afterwards. */
export type ReadBack =
  /** By looking at the import process (INTERFACE 4.7); it is looked at before the sending, too. */
  | { readonly by: "look-up" }
  /**
   * By sending the same bytes again, which the service answers with "exists already"; `otherwise`
   * is the sentence for a request that it would not recognize.
   */
  | { readonly by: "checked-resend"; readonly otherwise: string }
  /** The interface has no way to read it back; `where` says where a person can look. */
  | { readonly by: "nothing"; readonly where: string };

/** The bodies of answers to writes (INTERFACE 4.1 to 4.6, 7), each a schema of the OpenAPI document. */
export type AnswerName =
  | "NoteResults"
  | "TransactionResults"
  | "TransactionError"
  | "ValidatedData"
  | "PaymentInstructionResult"
  | "ValidationErrors"
  | "DuplicateSupplyPoint"
  | "NotFound";

export interface KindFacts {
  /** Below the base URL. */
  readonly path: string;
  /** The field that holds the items; null when the request is one item. */
  readonly itemsField: string | null;
  /** One item, in words. */
  readonly item: string;
  /** What one write is called in a list. */
  readonly noun: string;
  /** What many of them are called. */
  readonly plural: string;
  readonly movesMoney: boolean;
  readonly readBack: ReadBack;
  readonly retries: RetryRules;
  /** The code of a 400 that says that it exists already; null where there is none. */
  readonly existsCode: string | null;
  /** Reads a body. Throws WriteError `invalid` for what is no body of this kind. */
  readonly readBody: (payload: Payload) => BodyFacts;
  /** Whether the service itself keeps a resend of such a request from taking effect twice. */
  readonly isDeduplicated: (query: Query, items: readonly unknown[]) => boolean;
  /** Whether a second sending has an effect: in a few words, and as sentences. */
  readonly dedupe: {
    readonly summary: (deduplicated: boolean) => string;
    readonly words: (deduplicated: boolean, items: readonly unknown[]) => string;
  };
  /** Reads the body of a 2xx. Anything less than every item may be an answer cut short. */
  readonly confirmation: (facts: BodyFacts, httpStatus: number, body: string) => Confirmation;
  /** Reads the body of a 400. */
  readonly refusal: (facts: BodyFacts, body: string) => Refusal;
  /** The end of the sentence `Already exists …` for an item; `how` names the option of a face. */
  readonly existing: (item: unknown, attempts: number, how: string) => string;
  /**
   * The dates that items were moved to, by their place in the request; null where the answer names
   * no other date, and no function where dates stay as sent.
   */
  readonly movedDates:
    | ((items: readonly unknown[], query: Query, response: string) => readonly (string | null)[])
    | null;
  /** The fields of an item that say what goes out; null where it has none of the sort. */
  readonly contents: {
    readonly amount: string | null;
    readonly type: string | null;
    /** Of a single item. */
    readonly date: string | null;
    readonly reference: string | null;
  };
  /** The amounts of a body, digit for digit; null where rows have none that could be added up. */
  readonly amounts: ((payload: Payload) => readonly string[]) | null;
  /** How the command takes the body: from a file, as an operand, or as options of these names. */
  readonly command: "from" | "operand" | { readonly options: readonly string[] };
  /** Its operation in the OpenAPI document. */
  readonly openApi: {
    readonly id: string;
    /** What each documented status is answered with: the names of schemas, or null for no body. */
    readonly answers: Readonly<Record<number, AnswerName | readonly AnswerName[] | null>>;
    /** What its query parameters say, by their names; each is true when it is left out. */
    readonly query?: Readonly<Record<string, string>>;
  };
  /** What makes two rows of a bulk run the same to the service, and what comes of it. */
  readonly sameRow: {
    readonly key: (row: JsonObject) => readonly unknown[];
    readonly words: (line: number, query: Query) => string;
  };
}

/** INTERFACE 4.5; nothing is created by it, so it is not journalled. */
export const validateSupplyPointPath = "/v2/data-import/supply-points/validate/";
