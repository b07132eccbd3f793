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

/** The places where an answer names the items of a kind (INTERFACE 4). */
export interface Naming {
  /** The fields that name an item. */
  readonly fields: readonly string[];
  /** The name of an item that was sent, or null if its answer may have any name. */
  readonly sent: (item: unknown) => string | null;
  /** The parts of an answer that are each about one item, besides the answer itself. */
  readonly results: (answer: unknown) => readonly unknown[];
  /** Other fields of an item that must not differ, each with its comparison. */
  readonly compared?: Readonly<Record<string, (sent: string, named: string) => boolean>>;
}

/** A 2xx that names nothing else than what was sent. */
interface Success {
  readonly httpStatus: number;
  readonly body: string;
  /** The body with exact numbers; undefined if it is not JSON. */
  readonly answer: unknown;
  /** In the order of the request; null if there is not one for each item. */
  readonly results: readonly unknown[] | null;
}

/** What a 400 leaves behind. */
export interface Refusal {
  /** True if some item might have taken effect although the request was refused. */
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

export interface KindFacts {
  /** Below the base URL. */
  readonly path: string;
  /** The field that holds the items; null when the request is one item. */
  readonly itemsField: string | null;
  /** The field by which the customer's own system names an item; null where there is none. */
  readonly idField: string | null;
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
  /** Reads a body. Throws a write error `invalid` for what is no body of this kind. */
  readonly readBody: (payload: Payload) => BodyFacts;
  /** Whether the service itself keeps a resend of such a request from taking effect twice. */
  readonly isDeduplicated: (query: Query, items: readonly unknown[]) => boolean;
  /** Whether a second sending has an effect: in a few words, and as sentences. */
  readonly dedupe: {
    readonly summary: (deduplicated: boolean) => string;
    readonly words: (deduplicated: boolean, items: readonly unknown[]) => string;
  };
  /** The places where answers name the items. */
  readonly naming: Naming;
  /** The statuses of results that confirm an item. */
  readonly statuses: Readonly<Record<string, ItemOutcome>>;
  /** The items that a 2xx confirms. Null for anything less than all: it may be an answer cut short. */
  readonly confirmed: (facts: BodyFacts, success: Success) => readonly Item[] | null;
  /** Reads the body of a 400, parsed with exact numbers. */
  readonly refusal: (facts: BodyFacts, answer: unknown) => Refusal;
  /** The end of the sentence `Already exists …` for an item; `how` names the option of a face. */
  readonly existing: (item: unknown, attempts: number, how: string) => string;
  /** A sentence about what the service may change in what is sent, or null if it changes nothing. */
  readonly beforehand?: (query: Query) => string | null;
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
  /**
   * Two rows of a bulk run that the service might take for the same although they differ, and what
   * comes of it; the key of a row is null if it has none.
   */
  readonly sameRow: {
    readonly key: (row: JsonObject) => readonly unknown[] | null;
    readonly words: (line: number, query: Query) => string;
  } | null;
}

/** INTERFACE 4.5; nothing is created by it, so it is not journalled. */
export const validateSupplyPointPath = "/v2/data-import/supply-points/validate/";
