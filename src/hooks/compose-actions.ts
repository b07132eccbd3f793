import type { FormKind } from "../forms/fields.ts";
import { forms } from "../forms/forms.ts";
import type { Action, Actions } from "../keys/scopes.ts";
import { notFound } from "../watch/transitions.ts";
import { useCompose } from "./compose.ts";
import { useOverlays } from "./overlay.tsx";

/** What can be composed for an account. */
export interface WriteTarget {
  readonly account: string;
  /** Why the service would refuse it now, as last seen; null when nothing speaks against it. */
  readonly notImported: string | null;
}

/**
 * The keys that compose a write: for an account notes, transactions, statements and a payment
 * instruction, for the supplier a supply point. Only an imported account takes them (INTERFACE 3);
 * for another one the key says why not, and offers to compose it all the same.
 */
export function useWriteActions(supplier: string, target: WriteTarget | null): Actions {
  const compose = useCompose();
  const overlays = useOverlays();
  const forAccount = ({ account, notImported }: WriteTarget, kind: FormKind): Action => {
    const run = () => compose({ kind, supplier, account });
    if (notImported === null) return { run };
    return {
      run,
      disabled: notImported,
      wayRound: () =>
        overlays.open({
          kind: "confirm",
          question: `${account}: ${notImported}`,
          detail: `${forms[kind].title} can be added to an imported account only, and what was seen may be out of date.`,
          yes: "Compose it all the same",
          onYes: run,
        }),
    };
  };
  return {
    ...(target === null
      ? {}
      : {
          note: forAccount(target, "notes"),
          transactions: forAccount(target, "transactions"),
          statements: forAccount(target, "statements"),
          payment: forAccount(target, "payment-instructions"),
        }),
    "new-supply-point": {
      run: () => compose({ kind: "supply-points", supplier, account: null }),
    },
  };
}

/** Why an account in this state takes no writes; null for an imported one, and before a first look. */
export function notImportedWords(state: string | null): string | null {
  switch (state) {
    case null:
    case "COMPLETED":
      return null;
    case "IN_PROGRESS":
      return "being imported, not there yet: the service would answer 404";
    case "UNKNOWN":
      return "staged, not imported: the service would answer 404";
    case notFound:
      return "not known to the service, which would answer 404";
    default:
      // Statuses are an open enumeration: what an unheard-of one allows only the service can say.
      return null;
  }
}

/** The same for an account of a list. */
export function notListedWords(pending: boolean): string | null {
  return pending ? "listed as pending, not imported: the service would answer 404" : null;
}
