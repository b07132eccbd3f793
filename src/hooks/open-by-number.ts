import type { Action } from "../keys/scopes.ts";
import { useNavigation } from "./navigation.tsx";
import { useOverlays } from "./overlay.tsx";

/** The actions that open an account or a supply point by its number, listed or not. */
export function useOpenByNumber(supplier: string): {
  readonly account: Action;
  readonly supplyPoint: Action;
} {
  const navigation = useNavigation();
  const overlays = useOverlays();
  const problem = (typed: string) => {
    if (typed === "") return "Type or paste it first.";
    if (typed === "." || typed === "..") return `${typed} cannot be part of an address.`;
    return null;
  };
  return {
    account: {
      run: () =>
        overlays.open({
          kind: "prompt",
          title: `Open an account of ${supplier}`,
          label: "External account number",
          hint: "Works for accounts that are on no list too.",
          initial: "",
          onSubmit: (account) => {
            const wrong = problem(account);
            if (wrong === null) navigation.push({ kind: "account", supplier, account });
            return wrong;
          },
        }),
    },
    supplyPoint: {
      run: () =>
        overlays.open({
          kind: "prompt",
          title: `Open a supply point of ${supplier}`,
          label: "External identifier",
          hint: "The identifier its import was created with.",
          initial: "",
          onSubmit: (identifier) => {
            const wrong = problem(identifier);
            if (wrong === null) navigation.push({ kind: "supply-point", supplier, identifier });
            return wrong;
          },
        }),
    },
  };
}
