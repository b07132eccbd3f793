/** The override of earlier entries, as a claim and a request for approval name it. */
import * as z from "zod/mini";
import type { Answer } from "./answers.ts";

export const ledgerOverride = z.object({
  reason: z.string(),
  passes: z.array(
    z.object({
      /** The item. */
      key: z.string(),
      /** The kind of the finding that barred it. */
      kind: z.enum(["sent-before", "refused-before"]),
      /** The earlier entry, by its ID in the ledger or in the journal of this machine. */
      entry: z.object({ of: z.enum(["ledger", "journal"]), id: z.int() }),
    }),
  ),
});

/** An operator's override. It passes exactly the findings that it names. */
export type LedgerOverride = Answer<typeof ledgerOverride>;
