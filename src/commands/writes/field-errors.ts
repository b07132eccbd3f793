import { type FieldError, ServiceError } from "../../api/errors.ts";
import { attrWords } from "../../forms/attr.ts";
import { type Form, offTheWire } from "../../forms/fields.ts";
import { formOf } from "../../forms/forms.ts";
import type { Json } from "../../json/exact.ts";
import { quoted } from "../../text/service-words.ts";
import type { Operation } from "../../writes/kinds/kind.ts";

/** The lines that explain a rejection: the errors of single fields. */
export type Explain = (error: ServiceError) => readonly string[];

/** One issue of the service as a line: where the field was given, what is wrong, the code. */
export function issueLine(place: string | null, words: string, code: string | null): string {
  const line = place === null ? words : `${place}: ${words}`;
  return quoted(`${line}${code === null ? "" : ` (${code})`}`);
}

/** The service's error for a field, with the label of the form in front. */
export function errorWords(form: Form, body: Json | null, { attr, detail }: FieldError): string {
  if (attr === null) return detail;
  return `${attrWords(form, body === null ? null : offTheWire(form, body), attr)}: ${detail}`;
}

/** Explains the refusal of an operation where the places of its fields are not known. */
export function plainly(operation: Operation): Explain {
  return ({ facts }) =>
    (facts.errors ?? []).map((error) =>
      issueLine(null, errorWords(formOf(operation), null, error), error.code),
    );
}

/** The words for an `attr` in the errors of an operation. */
export function fieldWordsOf(operation: Operation): { readonly field: (attr: string) => string } {
  return { field: (attr) => attrWords(formOf(operation), null, attr) };
}

/** The same error without its issues of single fields, where those stand on separate lines. */
export function withoutFieldErrors(error: ServiceError): ServiceError {
  const { errors, ...facts } = error.facts;
  return errors === undefined ? error : new ServiceError(error.kind, error.message, facts);
}
