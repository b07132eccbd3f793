/** One choice of a menu. */
export interface MenuItem<V extends string> {
  readonly value: V;
  readonly label: string;
  /** A quieter remark after the label. */
  readonly hint?: string;
}
