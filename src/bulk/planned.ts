import type { Target } from "../writes/kinds/kind.ts";
import type { WriteRequest } from "../writes/prepare.ts";

/** One request that rows of an input make; several rows of one account may share one. */
export interface PlannedRequest {
  /** The line on which each of its items begins, in the order of the items; counted from 1. */
  readonly lines: readonly number[];
  readonly target: Target;
  /** The checked write, its bytes made once; null for `status`, which reads the account. */
  readonly write: WriteRequest | null;
}

/** Why a row cannot be sent, or what is odd about it; the words name no file. */
export interface RowIssue {
  readonly line: number;
  /** The CSV column or the dotted field at fault; null for the row as a whole. */
  readonly column: string | null;
  readonly message: string;
}

/** What reading an input gives, in the order of its rows. */
export type Planned =
  | { readonly kind: "request"; readonly request: PlannedRequest }
  /** This row cannot be sent; reading goes on, so that all that is wrong is told at once. */
  | { readonly kind: "problem"; readonly problem: RowIssue }
  | { readonly kind: "warning"; readonly warning: RowIssue };
