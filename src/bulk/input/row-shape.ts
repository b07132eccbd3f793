/**
 * Describes the fields of one row of a bulk input for each kind of request, and creates the messages
 * about undocumented names.
 */
import {
  bodyShape,
  type Field,
  type Form,
  isLeafField,
  type Leaf,
  type Shape,
} from "../../forms/fields.ts";
import { type FormKind, forms } from "../../forms/forms.ts";
import { nearest } from "../../text/suggest.ts";
import { kindOf, operationOf } from "../../writes/kinds/kinds.ts";

/** The fields of one row: the fields of the item and of its account (INTERFACE 2, 4.1 to 4.6). */
export interface RowShape {
  readonly kind: FormKind;
  readonly form: Form;
  readonly shape: Shape;
  /** The name of the body's field that has the items, or null if a row is a complete body. */
  readonly itemsField: string | null;
}

export function rowShapeOf(kind: FormKind): RowShape {
  const form = forms[kind];
  const body = bodyShape(form);
  const items = body.fields.find(({ name }) => name === form.itemsField);
  if (items?.type !== "rows") return { kind, form, shape: body, itemsField: null };
  const fields = [...body.fields.filter((field) => field !== items), ...items.item.fields];
  return { kind, form, shape: { ...items.item, fields }, itemsField: items.name };
}

export type Place =
  | { readonly kind: "leaf"; readonly leaf: Leaf }
  /** An object or a list, which a cell cannot contain. */
  | { readonly kind: "container"; readonly field: Field };

/** An index in a dotted name, from 0 to 999. */
const indexText = /^(?:0|[1-9]\d{0,2})$/;

/** Returns the field with a dotted name, or null if the name is not documented. */
export function placeIn(shape: Shape, steps: readonly string[]): Place | null {
  const [name, ...rest] = steps;
  const field = shape.fields.find((candidate) => candidate.name === name);
  if (field === undefined) return null;
  if (isLeafField(field)) return rest.length === 0 ? { kind: "leaf", leaf: field } : null;
  if (rest.length === 0) return { kind: "container", field };
  if (field.type === "object") return placeIn(field, rest);
  const [number = "", ...further] = rest;
  if (!indexText.test(number)) return null;
  if (field.type === "list") {
    return further.length === 0 ? { kind: "leaf", leaf: field.item } : null;
  }
  return further.length === 0 ? { kind: "container", field } : placeIn(field.item, further);
}

/** A field of a row with one value and a dotted name. A list has only its element of index 0. */
export interface FlatField {
  readonly name: string;
  readonly leaf: Leaf;
  /** The objects and lists that contain the field, outermost first, followed by the field. */
  readonly fields: readonly Field[];
  /**
   * `always` if a row must have the field, `unless-allowed` if the user can allow the field to be
   * missing, and `no` for any other field.
   */
  readonly needed: "always" | "unless-allowed" | "no";
}

/** Returns all fields of a row that have one value, in the documented order. */
export function leavesOf(shape: Shape): readonly FlatField[] {
  return leavesIn(shape, { prefix: "", ancestors: [], isNeeded: true });
}

interface Nesting {
  readonly prefix: string;
  readonly ancestors: readonly Field[];
  readonly isNeeded: boolean;
}

function leavesIn(shape: Shape, { prefix, ancestors, isNeeded }: Nesting): readonly FlatField[] {
  return shape.fields.flatMap((field): readonly FlatField[] => {
    const name = `${prefix}${field.name}`;
    const fields = [...ancestors, field];
    if (isLeafField(field)) {
      return [{ name, leaf: field, fields, needed: isNeeded ? needOf(field) : "no" }];
    }
    const nested = (prefix: string, isNeeded: boolean) => ({ prefix, ancestors: fields, isNeeded });
    if (field.type === "object") {
      return leavesIn(field, nested(`${name}.`, isNeeded && field.presence === "required"));
    }
    if (field.type === "rows") return leavesIn(field.item, nested(`${name}.0.`, false));
    return [{ name: `${name}.0`, leaf: field.item, fields, needed: "no" }];
  });
}

function needOf({ presence }: Field): FlatField["needed"] {
  if (presence === "required") return "always";
  return presence === "assumed" ? "unless-allowed" : "no";
}

export const notDocumented = "This is not documented for";

/** Returns the message about an unknown name: it is undocumented, or it belongs elsewhere. */
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
  const similar = similarName(row, name);
  if (similar !== null) return `${start} Did you mean ${similar}?`;
  return `${start} Documented: ${shape.fields.map((field) => field.name).join(", ")}.`;
}

export function stepsOf({ form }: RowShape, name: string): readonly string[] {
  const steps = name.split(".");
  return form.envelope !== null && steps[0] === form.envelope ? steps.slice(1) : steps;
}

const isNumber = (step: string) => /^\d+$/.test(step);

/** Returns the most similar documented name, with the indexes of `name`, or null. */
function similarName(row: RowShape, name: string): string | null {
  const names = leavesOf(row.shape).map((leaf) => leaf.name);
  const steps = stepsOf(row, name);
  const typed = steps.map((step) => (isNumber(step) ? "0" : step)).join(".");
  const similar =
    placeIn(row.shape, steps)?.kind === "container"
      ? names.find((documented) => documented.startsWith(`${typed}.`))
      : (nearest(typed, names) ??
        names.find((documented) => documented.replaceAll(".0", "") === typed) ??
        names.find((documented) => documented.endsWith(`.${typed}`)));
  if (similar === undefined) return null;
  const numbers = steps.filter(isNumber);
  return similar.replaceAll(/(?<=\.)0(?=\.|$)/g, () => numbers.shift() ?? "0");
}
