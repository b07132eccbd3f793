/** The keys that ask for the number of an account or a supply point, and open it. */
import type { Actions } from "../keys/scopes.ts";
import type { App } from "./app.ts";
import type { Place } from "./places.ts";

export function openByNumber(
  { navigation, overlays }: Pick<App, "navigation" | "overlays">,
  supplier: string,
): Pick<Actions, "account" | "supply-point"> {
  const ask = (title: string, label: string, hint: string, placeOf: (number: string) => Place) =>
    overlays.prompt({
      title,
      label,
      hint,
      onSubmit: (number) => {
        if (number === "") return "Type or paste it first.";
        if (number === "." || number === "..") return `${number} cannot be part of an address.`;
        navigation.push(placeOf(number));
        return null;
      },
    });
  return {
    account: () =>
      ask(
        `Open an account of ${supplier}`,
        "External account number",
        "Works for accounts that are on no list too.",
        (account) => ({ kind: "account", supplier, account }),
      ),
    "supply-point": () =>
      ask(
        `Open a supply point of ${supplier}`,
        "External identifier",
        "The identifier its import was created with.",
        (identifier) => ({ kind: "supply-point", supplier, identifier }),
      ),
  };
}
