import type { Field, Path } from "../forms/fields.ts";

/**
 * The objects of a blank form, or of a blank row, that may be left out: folded away at first, so that
 * a long form begins with what is needed.
 */
export function firstFolds(fields: readonly Field[], path: Path): readonly Path[] {
  return fields.flatMap((field): readonly Path[] => {
    const place = [...path, field.name];
    if (field.type === "object") {
      const inner = firstFolds(field.fields, place);
      return field.presence === "optional" ? [place, ...inner] : inner;
    }
    if (field.type !== "rows") return [];
    return Array.from({ length: field.start }, (_, at) =>
      firstFolds(field.item.fields, [...place, at]),
    ).flat();
  });
}
