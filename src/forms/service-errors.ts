/**
 * Assigns the errors of a rejected request (status 400) to the fields of the form, and finds the
 * field that a path of the service (`attr`) refers to.
 */
import type { FieldError, ServiceErrorFacts } from "../api/errors.ts";
import { isJsonArray, type Json, memberOf, memberText, type Path } from "../json/exact.ts";
import { scanJson } from "../json/scan.ts";
import { bodyShape, type Field, type Form, fromWireBody } from "./fields.ts";
import { byPlaceIn, objectsIn, placeWords } from "./payload-places.ts";
import type { Issue } from "./rules.ts";

/** An issue of the service that concerns no single field. Its texts are untrusted. */
interface GeneralIssue {
  readonly code: string | null;
  readonly detail: string;
}

interface ServiceIssues {
  /** Issues at fields of the form. The cursor moves to the first one. */
  readonly placed: readonly Issue[];
  readonly above: readonly GeneralIssue[];
}

type Rejection = Pick<ServiceErrorFacts, "code" | "detail" | "errors" | "body">;

/**
 * Assigns the errors of a 400 (INTERFACE 7) to the fields of the sent form by their `attr` paths,
 * with or without a leading `payload`. A TRANSACTION_IMPORT_ERROR is assigned to its transaction.
 * `sent` is the sent body, with its outer `payload`.
 */
export function placeServiceIssues(form: Form, sent: Json, rejection: Rejection): ServiceIssues {
  const body = fromWireBody(form, sent);
  const transactionIssue = failedTransaction(form, body, rejection);
  if (transactionIssue !== null) return { placed: [transactionIssue], above: [] };
  const placed: Issue[] = [];
  const above: GeneralIssue[] = [];
  const { code = null, detail } = rejection;
  if (detail !== undefined) above.push({ code, detail });
  for (const error of rejection.errors ?? []) {
    const issue = placedError(form, body, error);
    if (issue !== null) placed.push(issue);
    else above.push(generalIssue(form, body, error));
  }
  const compare = byPlaceIn(form);
  return { placed: placed.sort((a, b) => compare(a.path, b.path)), above };
}

function placedError(form: Form, body: Json, { attr, detail, code }: FieldError): Issue | null {
  if (attr === null) return null;
  const place = placeOf(form, body, attrSteps(attr));
  if (place === null) return null;
  const serviceMessage = detail === "" ? (code ?? "The service rejected this value.") : detail;
  const { path, rest } = place;
  const inside = rest.length === 0 ? "" : `${placeWords(form, [...path, ...rest], path.length)}: `;
  return { path, message: `${inside}${serviceMessage}` };
}

function generalIssue(form: Form, body: Json, { attr, code, detail }: FieldError): GeneralIssue {
  const place = attr === null ? "" : `${attrWords(form, body, attr)}: `;
  return { code, detail: `${place}${detail}` };
}

/**
 * Returns the issue at the transaction of a TRANSACTION_IMPORT_ERROR (INTERFACE 4.2), or null if
 * the response does not identify one transaction.
 */
function failedTransaction(form: Form, body: Json, { body: raw, detail }: Rejection): Issue | null {
  if (form.kind !== "transactions" || raw === undefined) return null;
  const response = scanJson(raw);
  if (!response.ok || memberText(response.value, "status") !== "TRANSACTION_IMPORT_ERROR")
    return null;
  const transactions = memberOf(body, "transactions");
  if (!isJsonArray(transactions)) return null;
  const id = memberText(memberOf(response.value, "transaction_data"), "transaction_id");
  const named = [...transactions.keys()].filter(
    (at) => id !== undefined && memberText(transactions[at], "transaction_id") === id,
  );
  // An error about a request with one transaction needs no ID.
  const candidates = transactions.length === 1 ? [0] : named;
  const [at] = candidates;
  if (at === undefined || candidates.length > 1) return null;
  const message =
    memberText(response.value, "error_detail") ??
    detail ??
    "The service rejected this transaction.";
  return { path: ["transactions", at], message };
}

/** A place of the form, and the rest of the service's path that the form does not know. */
interface AttrPlace {
  readonly path: Path;
  readonly rest: Path;
}

/**
 * Splits an `attr` (INTERFACE 7.2) into steps, without a leading `payload` and a final
 * `non_field_errors`. `a[0].b` is read like `a.0.b`.
 */
function attrSteps(attr: string): Path {
  const names = attr
    .replace(/\[(\d+)\]/g, ".$1")
    .split(".")
    .filter((word) => word !== "");
  const inside = names[0] === "payload" ? names.slice(1) : names;
  const fieldNames = inside.at(-1) === "non_field_errors" ? inside.slice(0, -1) : inside;
  return fieldNames.map((word) => (/^\d{1,9}$/.test(word) ? Number(word) : word));
}

/**
 * Returns the place in the sent body that a path of the service refers to, or null if there is none
 * or if it is ambiguous. INTERFACE 7.2 shows a path that begins at a customer's account, so a path
 * that does not begin at the top is searched further inside.
 */
function placeOf(form: Form, body: Json, steps: Path): AttrPlace | null {
  const { fields } = bodyShape(form);
  const top = follow({ fields: [...fields, ...form.query], value: body, path: [] }, steps);
  if (top !== null) return top;
  const matches = objectsIn(fields, body)
    .map((part) => follow(part, steps))
    .filter((place) => place?.rest.length === 0);
  const [match] = matches;
  return match !== undefined && matches.length === 1 ? match : null;
}

/**
 * Returns the path that an `attr` of the service refers to. `body` is the body that was sent, or
 * null if it is unknown.
 */
export function attrPath(form: Form, body: Json | null, attr: string): Path {
  const steps = attrSteps(attr);
  const place = body === null ? null : placeOf(form, body, steps);
  return place === null ? steps : [...place.path, ...place.rest];
}

export function attrWords(form: Form, body: Json | null, attr: string): string {
  return placeWords(form, attrPath(form, body, attr));
}

interface BodyPart {
  readonly fields: readonly Field[];
  readonly value: Json | undefined;
  readonly path: Path;
}

/**
 * Follows the steps inside an object, as far as the form knows them. Returns null if the form does
 * not know the first step.
 */
function follow({ fields, value, path }: BodyPart, steps: Path): AttrPlace | null {
  const [step, ...rest] = steps;
  const field = fields.find(({ name }) => name === step);
  if (field === undefined || typeof step !== "string") return null;
  return within(field, memberOf(value, step), [...path, step], rest);
}

function within(field: Field, value: Json | undefined, path: Path, steps: Path): AttrPlace {
  const [step, ...rest] = steps;
  const here: AttrPlace = { path, rest: steps };
  if (step === undefined) return here;
  if (field.type === "object") {
    return follow({ fields: field.fields, value, path }, steps) ?? here;
  }
  if (field.type !== "rows" && field.type !== "list") return here;
  const rows = isJsonArray(value) ? value : [];
  // The service can omit the number of a row if there is only one row.
  const [at, further] = typeof step === "number" ? [step, rest] : [rows.length - 1, steps];
  if (at < 0 || at >= rows.length || (typeof step !== "number" && at > 0)) return here;
  const row: AttrPlace = { path: [...path, at], rest: further };
  if (field.type === "list" || further.length === 0) return row;
  return follow({ fields: field.item.fields, value: rows[at], path: row.path }, further) ?? row;
}
