export type BindingGroup = "Move" | "List" | "Look" | "Act" | "Go" | "Program";

export interface Binding {
  /** The names of the keys, as returned by `keyName`. The first is shown. */
  readonly keys: readonly string[];
  readonly label: string;
  readonly help: string;
  readonly group: BindingGroup;
  /** The position in the footer, low first, or null if the binding is not in the footer. */
  readonly footer: number | null;
  /**
   * The position among the keys that work on marked rows, low first. While rows are marked, these
   * keys are the first of the footer. Absent for other keys.
   */
  readonly marksOrder?: number;
  readonly palette: boolean;
  /** The things that the key works on, shown if the key is pressed on another screen. */
  readonly worksOn?: string;
}

type Shown = Partial<Pick<Binding, "footer" | "palette" | "worksOn" | "marksOrder">>;

/**
 * Returns a function that creates the bindings of a group from the keys, the label, the help, and
 * the places that show the action.
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
