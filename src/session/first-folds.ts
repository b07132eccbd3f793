import type { Field, Form } from "../forms/fields.ts";
import { type FormState, isValueRows, valueAt } from "../forms/form-values.ts";
import { fieldsOf, spotAt } from "../forms/paths.ts";
import { type FormAction, reduceForm } from "../forms/reduce-form.ts";
import type { Path } from "../json/value.ts";

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

/** The draft after an action, a new row with what may be left out folded away. */
export function withFirstFolds(form: Form, typed: FormState, action: FormAction): FormState {
  if (action.type !== "add-row") return typed;
  const rows = valueAt(typed.values, action.path);
  const spot = spotAt(form, [...action.path, 0]);
  if (spot === null || !isValueRows(rows)) return typed;
  const row = [...action.path, action.at ?? rows.length - 1];
  return firstFolds(fieldsOf(spot), row).reduce(
    (folding, at) => reduceForm(form, folding, { type: "fold", at }),
    typed,
  );
}
