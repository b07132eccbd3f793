/** Fills in placeholders such as `{external_account_number}` in a body for several accounts. */
import { isJsonArray, isJsonObject, type Json, type JsonObject, type Path } from "../json/exact.ts";
import { bodyShape, type Field, type Form, isLeafField, type Leaf } from "./fields.ts";
import type { FormValue, FormValues } from "./form-values.ts";
import { isFormValues, isValueRows } from "./form-values.ts";
import type { Issue } from "./issue.ts";

/** The placeholders of a text for several accounts. Each is replaced by a value of the account. */
const placeholderNames = ["external_account_number", "import_supplier"] as const;

export type PlaceholderValues = Readonly<Record<(typeof placeholderNames)[number], string>>;

/** The placeholder of the account in a payload for several accounts. */
export const eachAccount = "{external_account_number}";

/** Matches `{{` for a brace, `{name}` for a placeholder, and any other `{`, which is an error. */
export const placeholderToken = /\{\{|\{([^{}]*)\}|\{/gu;

/** Returns true if texts of this kind can have placeholders. Numbers, dates and choices cannot. */
export function takesPlaceholders({ type }: Leaf): boolean {
  return type === "text" || type === "multiline" || type === "document-path";
}

/** Returns the issue of the braces in a text as a sentence, or null if there is none. */
export function placeholderProblem(text: string): string | null {
  for (const [whole, name] of text.matchAll(placeholderToken)) {
    if (whole === "{{" || isPlaceholder(name)) continue;
    const known = placeholderNames.map((one) => `{${one}}`).join(" and ");
    const what = name === undefined ? "This { is not closed" : `There is no ${whole}`;
    return `${what}: there are ${known}; write {{ for a brace.`;
  }
  return null;
}

/**
 * Fills in the values of one account. Braces with an issue (see {@link placeholderProblem}) are
 * unchanged.
 */
export function fillText(text: string, values: PlaceholderValues): string {
  return text.replace(placeholderToken, (whole, name: string | undefined) =>
    whole === "{{" ? "{" : isPlaceholder(name) ? values[name] : whole,
  );
}

function isPlaceholder(name: string | undefined): name is keyof PlaceholderValues {
  return placeholderNames.some((known) => known === name);
}

/** Reports the issues of the braces in a draft, field by field. */
export function placeholderIssues(form: Form, values: FormValues): readonly Issue[] {
  return textsOf(bodyShape(form).fields, values, []).flatMap(({ leaf, text, path }) => {
    const message = takesPlaceholders(leaf) ? placeholderProblem(text) : null;
    return message === null ? [] : [{ path, message }];
  });
}

interface TypedText {
  readonly leaf: Leaf;
  readonly text: string;
  readonly path: Path;
}

function textsOf(fields: readonly Field[], values: FormValues, path: Path): readonly TypedText[] {
  return fields.flatMap((field) =>
    Object.hasOwn(values, field.name)
      ? textsIn(field, values[field.name], [...path, field.name])
      : [],
  );
}

function textsIn(field: Field, value: FormValue | undefined, path: Path): readonly TypedText[] {
  if (isLeafField(field)) {
    return typeof value === "string" ? [{ leaf: field, text: value, path }] : [];
  }
  if (field.type === "object") {
    return isFormValues(value) ? textsOf(field.fields, value, path) : [];
  }
  if (!isValueRows(value)) return [];
  return value.flatMap((row, at) => {
    const place = [...path, at];
    if (field.type === "rows")
      return isFormValues(row) ? textsOf(field.item.fields, row, place) : [];
    return typeof row === "string" ? [{ leaf: field.item, text: row, path: place }] : [];
  });
}

/** Returns the body of one account from a body with placeholders. Numbers keep their digits. */
export function fillBody(form: Form, body: JsonObject, values: PlaceholderValues): JsonObject {
  return fillShape(bodyShape(form).fields, body, values);
}

function fillShape(
  fields: readonly Field[],
  body: JsonObject,
  values: PlaceholderValues,
): JsonObject {
  const filled = Object.entries(body).map(([name, value]): [string, Json] => {
    const field = fields.find((one) => one.name === name);
    return [name, field === undefined ? value : fillField(field, value, values)];
  });
  return Object.fromEntries(filled);
}

function fillField(field: Field, value: Json, values: PlaceholderValues): Json {
  if (isLeafField(field)) return fillLeaf(field, value, values);
  if (field.type === "object") {
    return isJsonObject(value) ? fillShape(field.fields, value, values) : value;
  }
  if (!isJsonArray(value)) return value;
  return value.map((row) => {
    if (field.type === "list") return fillLeaf(field.item, row, values);
    return isJsonObject(row) ? fillShape(field.item.fields, row, values) : row;
  });
}

function fillLeaf(leaf: Leaf, value: Json, values: PlaceholderValues): Json {
  return typeof value === "string" && takesPlaceholders(leaf) ? fillText(value, values) : value;
}
