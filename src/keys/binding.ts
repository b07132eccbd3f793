/** The heading of a binding in the help and in the documents. */
export type BindingGroup = "Move" | "List" | "Look" | "Act" | "Go" | "Program";

export interface Binding {
  /** The names of the keys, as returned by `keyName`. The first is shown. */
  readonly keys: readonly string[];
  /** One or two words for the footer. */
  readonly label: string;
  /** A sentence for the help and the palette. */
  readonly help: string;
  readonly group: BindingGroup;
  /** The position in the footer, low first, or null if the binding is not in the footer. */
  readonly footer: number | null;
  /** True if the palette offers it in the places where it works. */
  readonly palette: boolean;
  /** The things that the key works on. Shown on screens where the key does nothing. */
  readonly worksOn?: string;
}

type Shown = Partial<Pick<Binding, "footer" | "palette" | "worksOn">>;

/**
 * Returns a function that creates the bindings of a group: keys, label, help, and the places that
 * show it.
 */
export function inGroup(group: BindingGroup) {
  return (keys: readonly string[], label: string, help: string, shown: Shown = {}): Binding => ({
    keys,
    label,
    help,
    group,
    footer: null,
    palette: false,
    ...shown,
  });
}
