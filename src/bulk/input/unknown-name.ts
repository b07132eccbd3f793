/** Builds the message about an undocumented column or field, with a suggestion. */
import { nearest } from "../../text/suggest.ts";
import { kindOf, operationOf } from "../../writes/kinds/kinds.ts";
import { leavesOf, placeIn, type RowShape } from "./row-shape.ts";

const notDocumented = "This is not documented for";

/** Returns true for a message about a name that is not documented. */
export function isAboutUnknownName(message: string): boolean {
  return message.startsWith(notDocumented);
}

/** Returns the message about an undocumented column or field of a row. */
export function unknownName(row: RowShape, name: string): string {
  const { kind, form, shape } = row;
  const { item } = kindOf(operationOf(kind));
  if (name === row.itemsField) {
    return `Each row is one ${item}: put its fields next to import_supplier, not under ${name}.`;
  }
  if (form.query.some((option) => option.name === name)) {
    return `This is an option of the command, not a field of a ${item}.`;
  }
  const start = `${notDocumented} ${kind} and is never sent.`;
  const meant = meantBy(row, name);
  if (meant !== null) return `${start} Did you mean ${meant}?`;
  return `${start} Documented: ${shape.fields.map((field) => field.name).join(", ")}.`;
}

/** Returns the steps of a dotted name, without the outer key of a supply point's body. */
export function stepsOf({ form }: RowShape, name: string): readonly string[] {
  const steps = name.split(".");
  return form.envelope !== null && steps[0] === form.envelope ? steps.slice(1) : steps;
}

const isNumber = (step: string) => /^\d+$/.test(step);

/**
 * Returns the documented name that is probably meant, with the indexes of `name`, or null if none
 * is similar.
 */
function meantBy(row: RowShape, name: string): string | null {
  const names = leavesOf(row.shape).map((leaf) => leaf.name);
  const steps = stepsOf(row, name);
  const typed = steps.map((step) => (isNumber(step) ? "0" : step)).join(".");
  const found =
    placeIn(row.shape, steps)?.kind === "whole"
      ? names.find((one) => one.startsWith(`${typed}.`))
      : (nearest(typed, names) ??
        names.find((one) => one.replaceAll(".0", "") === typed) ??
        names.find((one) => one.endsWith(`.${typed}`)));
  if (found === undefined) return null;
  const numbers = steps.filter(isNumber);
  return found.replaceAll(/(?<=\.)0(?=\.|$)/g, () => numbers.shift() ?? "0");
}
