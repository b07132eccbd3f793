/** Defines the keys that open an empty form, one for each kind of write. */
import { type Binding, inGroup } from "./binding.ts";

const act = inGroup("Act");

type FormSubject = "account" | "supplier";

interface FormBinding<Kind extends string> extends Binding {
  readonly form: Kind;
  readonly about: FormSubject;
}

function formBinding<Kind extends string>(
  form: Kind,
  about: FormSubject,
  [key, label, help, footer]: readonly [key: string, label: string, help: string, footer: number],
): FormBinding<Kind> {
  const worksOn = about === "account" ? "an account" : "a supplier";
  return { ...act([key], label, help, { footer, palette: true, worksOn }), form, about };
}

export const formBindings = {
  note: formBinding("notes", "account", ["n", "note", "Write notes to this account", 22]),
  transactions: formBinding("transactions", "account", [
    "t",
    "transactions",
    "Add transactions to this account",
    28,
  ]),
  statements: formBinding("statements", "account", [
    "b",
    "statements",
    "Add historical statements to this account",
    29,
  ]),
  payment: formBinding("payment-instructions", "account", [
    "p",
    "payment",
    "Create a payment instruction for this account",
    30,
  ]),
  "new-supply-point": formBinding("supply-points", "supplier", [
    "S",
    "new supply point",
    "Compose a supply point for this supplier",
    31,
  ]),
};

export const formActionIds = Object.keys(formBindings) as (keyof typeof formBindings)[];
