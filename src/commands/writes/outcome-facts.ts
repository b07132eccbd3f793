import type { ErrorContext } from "../../text/describe-error.ts";
import type { BodyFacts } from "../../writes/kinds/kind.ts";
import type { WriteResult } from "../../writes/submit.ts";
import type { Explain } from "./field-errors.ts";

/** How a write ended, and what it was. */
export interface Outcome {
  readonly result: WriteResult;
  readonly facts: Pick<BodyFacts, "target" | "items">;
  /** Query parameters (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, string>>;
  readonly context: ErrorContext;
  readonly brand: string;
  /** Tells a refusal at the places where the fields were given. */
  readonly explain: Explain;
}
