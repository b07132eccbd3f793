import type { Action } from "../keys/scopes.ts";
import { useNavigation } from "./navigation.tsx";
import { useOverlays } from "./overlay.tsx";

/** Opening an account or a supply point that is on no list, by what it is called. */
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
          hint: "On a list or not: the service is asked for it by this number.",
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
