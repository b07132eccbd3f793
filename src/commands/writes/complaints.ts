import { type FieldError, ServiceError } from "../../api/errors.ts";
import { quoted } from "../../text/service-words.ts";

/** The lines that a refusal is told with: what the service said of single fields. */
export type Explain = (error: ServiceError) => readonly string[];

/** One complaint of the service as a line: where the field was given, its path, what is wrong. */
export function complaintLine({ attr, code, detail }: FieldError, place: string | null): string {
  const parts = [...(place === null ? [] : [place]), ...(attr === null ? [] : [attr])];
  return quoted(`${[...parts, detail].join(": ")}${code === null ? "" : ` (${code})`}`);
}

/** Where nothing is known of the place that the fields were given at. */
export const plainly: Explain = ({ facts }) =>
  (facts.errors ?? []).map((error) => complaintLine(error, null));

/** The same error without its complaints about single fields, where those stand on their own. */
export function withoutComplaints(error: ServiceError): ServiceError {
  const { errors, ...facts } = error.facts;
  return errors === undefined ? error : new ServiceError(error.kind, error.message, facts);
}
