/** Assigns the errors of a refused request (status 400) to the fields of the form. */
import type { FieldError, ServiceErrorFacts } from "../api/errors.ts";
import { isJsonArray, type Json, memberOf, memberText } from "../json/exact.ts";
import { scanJson } from "../json/scan.ts";
import { attrSteps, attrWords, placeOf } from "./attr.ts";
import { type Form, fromWireBody } from "./fields.ts";
import type { Issue } from "./issue.ts";
import { byPlaceIn, placeWords } from "./places.ts";

/** An issue of the service that concerns no single field. Its texts are untrusted. */
interface GeneralIssue {
  readonly code: string | null;
  readonly detail: string;
}

/** The issues of a refused request, at fields or above the form. */
interface ServiceIssues {
  /** Issues at fields of the form. The cursor moves to the first one. */
  readonly placed: readonly Issue[];
  /** Issues without a field. They are shown above the form. */
  readonly above: readonly GeneralIssue[];
}

type Refusal = Pick<ServiceErrorFacts, "code" | "detail" | "errors" | "body">;

/**
 * Maps the errors of a 400 (INTERFACE 7) to the fields of the form that was sent: `attr` paths and
 * mirrored messages, with or without a leading `payload`, and TRANSACTION_IMPORT_ERROR to its
 * transaction. `sent` is the body as it was sent.
 */
export function placeServiceIssues(form: Form, sent: Json, refusal: Refusal): ServiceIssues {
  const body = fromWireBody(form, sent);
  const failing = failedTransaction(form, body, refusal);
  if (failing !== null) return { placed: [failing], above: [] };
  const placed: Issue[] = [];
  const above: GeneralIssue[] = [];
  const { code = null, detail } = refusal;
  if (detail !== undefined) above.push({ code, detail });
  for (const error of refusal.errors ?? []) {
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
  const said = detail === "" ? (code ?? "The service refused this.") : detail;
  const { path, rest } = place;
  const inside = rest.length === 0 ? "" : `${placeWords(form, [...path, ...rest], path.length)}: `;
  return { path, message: `${inside}${said}` };
}

function generalIssue(form: Form, body: Json, { attr, code, detail }: FieldError): GeneralIssue {
  const place = attr === null ? "" : `${attrWords(form, body, attr)}: `;
  return { code, detail: `${place}${detail}` };
}

/**
 * Returns the issue at the transaction of a TRANSACTION_IMPORT_ERROR (INTERFACE 4.2), or null if
 * the transaction is not certain.
 */
function failedTransaction(form: Form, body: Json, { body: raw, detail }: Refusal): Issue | null {
  if (form.kind !== "transactions" || raw === undefined) return null;
  const answer = scanJson(raw);
  if (!answer.ok || memberText(answer.value, "status") !== "TRANSACTION_IMPORT_ERROR") return null;
  const transactions = memberOf(body, "transactions");
  if (!isJsonArray(transactions)) return null;
  const id = memberText(memberOf(answer.value, "transaction_data"), "transaction_id");
  const named = [...transactions.keys()].filter(
    (at) => id !== undefined && memberText(transactions[at], "transaction_id") === id,
  );
  const found = transactions.length === 1 ? [0] : named;
  const [at] = found;
  if (at === undefined || found.length > 1) return null;
  const message =
    memberText(answer.value, "error_detail") ?? detail ?? "The service refused this transaction.";
  return { path: ["transactions", at], message };
}
