import type { JsonObject, Path } from "../json/exact.ts";

/** An issue at one place of a form. Lines and columns of a file count from 1. */
export interface Issue {
  /** The path in the body, inside the outer `payload` if there is one. Empty for the whole body. */
  readonly path: Path;
  readonly message: string;
  /** The message with names on the wire, if the message has labels of the form. */
  readonly onWire?: string;
  readonly line?: number;
  readonly column?: number;
  /**
   * `name` if the name of the field is wrong, `missing` if the field is missing and the user can
   * allow that.
   */
  readonly about?: "name" | "missing";
}

/** A payload that can be sent, or all issues that prevent it. */
export type Validation =
  | {
      readonly ok: true;
      /** The body in the wire format, in the documented order, with its outer `payload`. */
      readonly body: JsonObject;
      /** The query parameters that were requested (INTERFACE 4.2). */
      readonly query: Readonly<Record<string, string>>;
      readonly warnings: readonly Issue[];
    }
  | { readonly ok: false; readonly issues: readonly Issue[]; readonly warnings: readonly Issue[] };
