/** The heading of a binding in the help and in the documents. */
export type BindingGroup = "Move" | "List" | "Look" | "Act" | "Go" | "Program";

export interface Binding {
  /** Names as `keyName` gives them; the first one is shown. */
  readonly keys: readonly string[];
  /** One or two words for the footer. */
  readonly label: string;
  /** A sentence for the help and the palette. */
  readonly help: string;
  readonly group: BindingGroup;
  /** Footer order, low first; null keeps it out of the footer, not out of the help. */
  readonly footer: number | null;
  /** Offered in the palette when it works here. */
  readonly palette: boolean;
  /** What the key works on: where it does nothing, this is shown instead of nothing. */
  readonly worksOn?: string;
}

type Shown = Partial<Pick<Binding, "footer" | "palette" | "worksOn">>;

/** Makes the bindings of a group: keys, label, help, and where it is shown. */
export function inGroup(group: BindingGroup) {
  return (keys: readonly string[], label: string, help: string, shown: Shown = {}): Binding => ({
    ...{ keys, label, help, group, footer: null, palette: false },
    ...shown,
  });
}
