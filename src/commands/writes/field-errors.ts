/** Describes the service's errors for single fields of a write. */

import { type FieldError, ServiceError } from "../../api/errors.ts";
import { type Form, fromWireBody } from "../../forms/fields.ts";
import { pathText } from "../../forms/places.ts";
import { attrPath } from "../../forms/service-errors.ts";
import type { Json } from "../../json/exact.ts";
import { quoted } from "../../text/service-words.ts";

/** Returns the lines that explain a rejection: the errors of single fields. */
export type Explain = (error: ServiceError) => readonly string[];

/** Formats one issue of the service as a line: the place of the field, the problem, the code. */
export function issueLine(place: string | null, words: string, code: string | null): string {
  const line = place === null ? words : `${place}: ${words}`;
  return quoted(`${line}${code === null ? "" : ` (${code})`}`);
}

/** Describes the service's error for a field, with its path in the body that was sent. */
export function fieldErrorWords(form: Form, body: Json, { attr, detail }: FieldError): string {
  if (attr === null) return detail;
  return `${pathText(attrPath(form, fromWireBody(form, body), attr))}: ${detail}`;
}

/** Explains a rejection if the sent body is not known. */
export const explainWithoutFields: Explain = ({ facts }) =>
  (facts.errors ?? []).map(({ attr, detail, code }) =>
    issueLine(null, attr === null ? detail : `${attr}: ${detail}`, code),
  );

/**
 * Returns the error without its issues of single fields, for output that has them on separate
 * lines.
 */
export function withoutFieldErrors(error: ServiceError): ServiceError {
  const { errors, ...facts } = error.facts;
  return errors === undefined ? error : new ServiceError(error.kind, error.message, facts);
}
