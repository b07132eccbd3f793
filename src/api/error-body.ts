/** Parses the error responses of the service in all documented shapes (INTERFACE 7). */
import { exactJsonOf, isJsonNumber, isRecord } from "../json/exact.ts";
import { boundedCode, type FieldError, ServiceError, type ServiceErrorFacts } from "./errors.ts";
import type { HttpResponse } from "./http.ts";
import { retryAfter } from "./rate-limit.ts";

/** The content of an error body (INTERFACE 7). */
interface ErrorBody {
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly errors: readonly FieldError[];
  /** The identifier of a duplicate supply point (INTERFACE 4.6). */
  readonly supplyPointIdentifier?: string | undefined;
}

/** Returns a text or the digits of a number, or null for any other value. */
const text = (value: unknown): string | null =>
  typeof value === "string" ? value : isJsonNumber(value) ? value.rawJSON : null;

/** The message with which nginx rejects a request without a client certificate. */
const noCertificate = /No required SSL certificate was sent/i;

/**
 * Returns the error for an unsuccessful response. The status determines its kind, and the body its
 * facts. `hide` removes the secrets of the request.
 */
export function errorOf(
  response: HttpResponse,
  bodyText: string,
  hide: (text: string) => string,
): ServiceError {
  const { status } = response;
  const body = hide(bodyText);
  // The body of another 2xx is a result, and its texts are not errors.
  const { code, detail, errors, supplyPointIdentifier } = readErrorBody(status < 300 ? "" : body);
  const facts: ServiceErrorFacts = {
    ...response.facts,
    body,
    code: code && boundedCode(code),
    detail,
    errors: errors.length === 0 ? undefined : errors,
    supplyPointIdentifier,
    retryAfterMs: retryAfter(response.header, response.receivedAt),
    ...(status === 400 && noCertificate.test(body)
      ? { culprit: { kind: "client-certificate" } }
      : {}),
  };
  if (status === 400)
    return new ServiceError("rejected", "The service rejected the request (400).", facts);
  if (status === 401) return new ServiceError("unauthorized", "Not authorized (401).", facts);
  if (status === 403) return new ServiceError("forbidden", "Forbidden (403).", facts);
  if (status === 404) return new ServiceError("not-found", "Not found (404).", facts);
  if (status === 429) return new ServiceError("rate-limited", "Too many requests (429).", facts);
  if (status >= 500) {
    return new ServiceError("unavailable", `The service failed (${status}).`, facts);
  }
  if (status >= 300 && status < 400) {
    const target = redirectTarget(response.header("location"), response.facts.url, hide);
    return new ServiceError("redirect", `A redirect (${status})${target} was not followed.`, facts);
  }
  return new ServiceError("unexpected-status", `An unexpected status (${status}).`, facts);
}

/** Returns a redirect's target without login, query, or a path that has a secret. */
function redirectTarget(
  location: string | null,
  base: string | undefined,
  hide: (text: string) => string,
): string {
  const url = location === null ? null : URL.parse(location, base);
  if (!url || !/^https?:$/.test(url.protocol)) return "";
  const path = decodedPath(url.pathname);
  const isSafe = path !== null && hide(path) === path;
  return ` to ${(isSafe ? url.origin + url.pathname : url.origin).slice(0, 200)}`;
}

function decodedPath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** Members of an error body that are never fields of the request. */
const notFields = new Set(["errors", "supply_point_identifier"]);

/** Maximum number of other members whose messages are part of `detail`. */
const maxOtherMessages = 8;

/**
 * Parses an error body of any documented shape. A body of another shape has no content. Members
 * that are not fields of the request become part of `detail`. This function does not use zod, so
 * that commands without calls can parse the journal's responses without loading it.
 */
export function readErrorBody(body: string): ErrorBody {
  const value = exactJsonOf(body);
  if (Array.isArray(value)) return { errors: messagesIn(value, []) };
  if (!isRecord(value)) return { errors: [] };
  if (value.status === "TRANSACTION_IMPORT_ERROR") {
    const detail = text(value.error_detail);
    return { code: value.status, detail: detail ?? undefined, errors: [] };
  }
  const general = isRecord(value.non_field_errors) ? value.non_field_errors : value;
  const code = text(general.code);
  const listed = Array.isArray(value.errors)
    ? value.errors.flatMap(listedError)
    : messagesIn(value.errors, []);
  const members = Object.entries(value).filter(([key, inner]) => {
    const isGeneral =
      key === "detail" || key === "code"
        ? text(inner) !== null
        : key === "non_field_errors" && isRecord(inner);
    return !isGeneral && !notFields.has(key);
  });
  const fields = members.filter(isField);
  const others = members
    .filter((member) => !isField(member))
    .flatMap(([key, inner]) => messagesIn(inner, [key]))
    .slice(0, maxOtherMessages)
    .map(({ attr, detail: words }) =>
      attr === null || attr === "detail" ? words : `${attr}: ${words}`,
    );
  const detail = [text(general.detail), ...others].filter((part) => part !== null).join("; ");
  return {
    code: code ?? undefined,
    detail: detail || undefined,
    errors: [...listed, ...fields.flatMap(([key, inner]) => messagesIn(inner, [key]))],
    supplyPointIdentifier:
      typeof value.supply_point_identifier === "string"
        ? boundedCode(value.supply_point_identifier)
        : undefined,
  };
}

/** Members of a problem document (RFC 9457) with the name of a request field. Each is a text. */
const problemMembers = new Set(["type", "title"]);

function isField([key, inner]: readonly [string, unknown]): boolean {
  if (problemMembers.has(key) && typeof inner === "string") return false;
  return key === "payload" || key === "non_field_errors" || requestFields.has(key);
}

function listedError(item: unknown): readonly FieldError[] {
  if (typeof item === "string") return [{ attr: null, code: null, detail: item }];
  if (!isRecord(item)) return [];
  return [
    {
      attr: attrOf(text(item.attr)?.split(".") ?? []),
      code: text(item.code),
      detail: text(item.detail) ?? text(item.message) ?? "",
    },
  ];
}

/** Returns the path to a field, without `payload` and `non_field_errors`, or null if empty. */
function attrOf(path: readonly string[]): string | null {
  const inside = path[0] === "payload" ? path.slice(1) : path;
  const field = inside.at(-1) === "non_field_errors" ? inside.slice(0, -1) : inside;
  return field.join(".") || null;
}

/**
 * Returns the messages in a body with the structure of the payload: objects and arrays that contain
 * lists of messages.
 */
function messagesIn(value: unknown, path: readonly string[]): readonly FieldError[] {
  if (typeof value === "string") {
    return [{ attr: attrOf(path), code: null, detail: value }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((inner, index) =>
      messagesIn(inner, typeof inner === "string" ? path : [...path, String(index)]),
    );
  }
  if (!isRecord(value)) return [];
  if (typeof value.detail === "string" && Object.keys(value).every((key) => key !== "errors")) {
    return [{ attr: attrOf(path), code: text(value.code), detail: value.detail }];
  }
  return Object.entries(value).flatMap(([key, inner]) => messagesIn(inner, [...path, key]));
}

/**
 * The names of all fields and options of requests (INTERFACE 2 and 4), at any depth. In an error
 * body, only these names are fields.
 */
const requestFields: ReadonlySet<string> = new Set(
  `
    account_roles account_type accounts administrative_area amount bill_period_from_date
    bill_period_to_date body building_or_property_name check_previously_added country
    created_at critical_load customer_at_supply_address_from_date customers
    delivery_point_identifier dependent_locality display_note document_path document_paths
    email email_address end_date external_account_number family_name flat_or_unit_number
    flat_or_unit_type force_add_to_current_statement given_name gross_amount house_number_1
    identifier import_supplier is_pinned issued_date landline line_items locality mobile
    name_type net_amount note notes number number_of_units outage_contact payment_type
    phone_1 phone_2 postal_address postal_code postal_delivery_number_value
    postal_delivery_type prefix price_per_unit product_code rate rate_band reason reference
    salutation service_type sorting_code start_date statement_id statement_path statements
    street_address street_name street_type structured_street_address substation suffix
    supply_point supply_type tax_items tax_type title transaction_date transaction_id
    transactions type unit_type units unpin_at value_taxed vendor
  `
    .trim()
    .split(/\s+/),
);
