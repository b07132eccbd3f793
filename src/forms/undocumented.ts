import type { Path } from "../json/exact.ts";
import { nearest } from "../text/suggest.ts";
import { bodyShape, type Field, type Form } from "./fields.ts";
import type { Issue } from "./issue.ts";
import { fieldAtPath, fieldsOf, pathText } from "./places.ts";

/**
 * Returns the issue of a field that INTERFACE does not document at that place. The message names
 * the field that was probably meant.
 */
export function undocumented(form: Form, path: Path, name: string): Issue {
  const spot = fieldAtPath(form, path);
  const fields = spot === null ? bodyShape(form).fields : fieldsOf(spot);
  return { path: [...path, name], message: messageOf(form, fields, name), about: "name" };
}

function messageOf(form: Form, fields: readonly Field[], name: string): string {
  const said = "This field is not documented and is never sent.";
  const meant = nearest(
    name,
    fields.map((field) => field.name),
  );
  if (meant !== null) return `${said} Did you mean ${meant}?`;
  const elsewhere = placesOf(bodyShape(form).fields, name, [])[0];
  if (elsewhere !== undefined) {
    const where = elsewhere.length === 0 ? "at the top level" : `in ${pathText(elsewhere)}`;
    return `${said} ${name} belongs ${where}.`;
  }
  if (form.query.some((field) => field.name === name)) {
    return `${said} ${name} is an option of the request, not part of its body.`;
  }
  return `${said} Documented here: ${fields.map((field) => field.name).join(", ")}.`;
}

/**
 * Returns the paths of the objects in which a field of that name is documented. Rows are written as
 * `[]`.
 */
function placesOf(fields: readonly Field[], name: string, path: Path): readonly Path[] {
  return fields.flatMap((field): readonly Path[] => {
    const here = field.name === name ? [path] : [];
    const inner =
      field.type === "object"
        ? placesOf(field.fields, name, [...path, field.name])
        : field.type === "rows"
          ? placesOf(field.item.fields, name, [...path, `${field.name}[]`])
          : [];
    return [...here, ...inner];
  });
}
