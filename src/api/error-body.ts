import { type FieldError, ServiceError, type ServiceErrorFacts } from "./errors.ts";
import type { HttpAnswer } from "./http.ts";
import { deeperThan } from "./read-body.ts";

/** What an error body says, whichever of INTERFACE 7's shapes it has. */
export interface ErrorBody {
  readonly code?: string;
  readonly detail?: string;
  readonly errors: readonly FieldError[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string | null =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : null;

/** The error of an answer that is no success: its kind from the status, its facts from the body. */
export function errorOf(answer: HttpAnswer, body: string): ServiceError {
  const { status } = answer;
  const said = readErrorBody(body);
  const facts: ServiceErrorFacts = {
    ...answer.facts,
    body,
    ...(said.code === undefined ? {} : { code: said.code }),
    ...(said.detail === undefined ? {} : { detail: said.detail }),
    ...(said.errors.length === 0 ? {} : { errors: said.errors }),
    ...retryAfter(answer.header("retry-after")),
  };
  if (status === 400) return new ServiceError("rejected", "The service refused it (400).", facts);
  if (status === 401) return new ServiceError("unauthorized", "Not authorised (401).", facts);
  if (status === 403) return new ServiceError("forbidden", "Forbidden (403).", facts);
  if (status === 404) return new ServiceError("not-found", "Not found (404).", facts);
  if (status === 429) return new ServiceError("rate-limited", "Too many requests (429).", facts);
  if (status >= 500) {
    return new ServiceError("unavailable", `The service failed (${status}).`, facts);
  }
  if (status >= 300 && status < 400) {
    return new ServiceError("redirect", `A redirect (${status}) was not followed.`, facts);
  }
  return new ServiceError("unexpected-status", `An unexpected status (${status}).`, facts);
}

function retryAfter(header: string | null): { retryAfterMs?: number } {
  if (header === null) return {};
  const seconds = Number(header);
  if (header.trim() !== "" && Number.isFinite(seconds)) {
    return { retryAfterMs: Math.max(0, seconds * 1000) };
  }
  const at = Date.parse(header);
  return Number.isNaN(at) ? {} : { retryAfterMs: Math.max(0, at - Date.now()) };
}

/** Reads any of the documented shapes; a body of another shape says nothing and is kept raw. */
export function readErrorBody(body: string): ErrorBody {
  let value: unknown;
  try {
    if (deeperThan(body, 64)) return { errors: [] };
    value = JSON.parse(body);
  } catch {
    return { errors: [] };
  }
  if (!isRecord(value)) return { errors: [] };
  if (value.status === "TRANSACTION_IMPORT_ERROR") {
    const detail = text(value.error_detail);
    return { code: value.status, ...(detail === null ? {} : { detail }), errors: [] };
  }
  const general = isRecord(value.non_field_errors) ? value.non_field_errors : value;
  const code = text(general.code);
  const detail = text(general.detail);
  const listed = Array.isArray(value.errors) ? value.errors.flatMap(listedError) : [];
  const known = new Set([
    "detail",
    "code",
    "errors",
    "non_field_errors",
    "supply_point_identifier",
  ]);
  const mirrored = Object.entries(value).flatMap(([key, inner]) =>
    known.has(key) && (key !== "non_field_errors" || isRecord(inner)) ? [] : mirror(inner, [key]),
  );
  return {
    ...(code === null ? {} : { code }),
    ...(detail === null ? {} : { detail }),
    errors: [...listed, ...mirrored],
  };
}

function listedError(item: unknown): readonly FieldError[] {
  if (!isRecord(item)) return [];
  return [
    {
      attr: text(item.attr)?.replace(/^payload\./, "") ?? null,
      code: text(item.code),
      detail: text(item.detail) ?? "",
    },
  ];
}

/** Messages that mirror the payload: arrays, or objects keyed by index, down to lists of words. */
function mirror(value: unknown, path: readonly string[]): readonly FieldError[] {
  if (typeof value === "string") {
    const at = path[0] === "payload" ? path.slice(1) : path;
    const attr = at.at(-1) === "non_field_errors" ? at.slice(0, -1) : at;
    return [{ attr: attr.length === 0 ? null : attr.join("."), code: null, detail: value }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((inner, index) =>
      mirror(inner, typeof inner === "string" ? path : [...path, String(index)]),
    );
  }
  if (!isRecord(value)) return [];
  if (typeof value.detail === "string" && Object.keys(value).every((key) => key !== "errors")) {
    return [{ attr: path.join("."), code: text(value.code), detail: value.detail }];
  }
  return Object.entries(value).flatMap(([key, inner]) => mirror(inner, [...path, key]));
}
