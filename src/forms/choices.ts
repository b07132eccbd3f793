import type { Enumeration, Field, SeenValue } from "./fields.ts";

/** The value of a sibling as text; undefined where there is none. */
export type Sibling = (name: string) => string | undefined;

/** The values seen for an enumeration, the ones that fit its siblings first. */
export function choicesOf(leaf: Enumeration, sibling: Sibling): readonly SeenValue[] {
  return [
    ...leaf.values.filter((seen) => fits(seen, leaf, sibling)),
    ...leaf.values.filter((seen) => !fits(seen, leaf, sibling)),
  ];
}

/** Whether a value was seen together with the sibling that decides; yes when nothing is known. */
export function fits(seen: SeenValue, { by }: Enumeration, sibling: Sibling): boolean {
  const decides = by === undefined ? undefined : sibling(by);
  return decides === undefined || seen.with === undefined || seen.with.includes(decides);
}

/**
 * Whether the interface shows a field for what its siblings say: `unused` with another type,
 * `undecided` while there is no type yet. With an unknown type, every field may be used.
 */
export function relevanceOf(
  field: Field,
  fields: readonly Field[],
  sibling: Sibling,
): "used" | "unused" | "undecided" {
  const { usedWith } = field;
  if (usedWith === undefined) return "used";
  const decides = sibling(usedWith.field)?.trim();
  if (decides === undefined || decides === "") return "undecided";
  const deciding = fields.find(({ name }) => name === usedWith.field);
  const known =
    deciding?.type === "enumeration" && deciding.values.some(({ value }) => value === decides);
  return !known || usedWith.values.includes(decides) ? "used" : "unused";
}
