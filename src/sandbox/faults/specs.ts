/**
 * The kinds of faults, the settings of behavior that the interface leaves open, and the specs that
 * select them: `KIND[=VALUE][@ENDPOINT][xCOUNT][%PROBABILITY]`.
 */
import { type Endpoint, endpointNames, groups, isEndpoint } from "../endpoints.ts";

/**
 * The point at which a fault acts: on the connection, before the effect, after it, on the rows of a
 * list, or not on requests at all.
 */
export type Stage = "connection" | "delay" | "before" | "after" | "lag" | "rows" | "setting";

export interface FaultKind {
  readonly name: string;
  readonly stage: Stage;
  /** Format of the value, or undefined if the kind has no value. `[…]` marks an optional value. */
  readonly value?: string;
  readonly help: string;
}

const statuses: readonly (readonly [number, string])[] = [
  [302, "a redirect to another path"],
  [303, "a redirect to the result, as after a POST that was carried out"],
  [400, "as if the payload were not valid"],
  [401, "as if the token were not valid"],
  [403, "as if the token lacked the permission"],
  [404, "as if there were no such account"],
  [408, "the request took too long"],
  [409, "a conflict with another request"],
  [423, "locked by another request"],
  [425, "too early"],
  [429, "too many requests; Retry-After in whole seconds from the value, 1s without one"],
  [444, "a gateway that closed the connection"],
  [460, "a gateway whose client has gone"],
  [499, "a gateway whose client has gone"],
  [500, "an unexpected error"],
  [502, "a gateway's HTML page"],
  [503, "a gateway's HTML page; with Retry-After when a value is given"],
  [504, "a gateway's HTML page"],
];

/** Statuses that can have a Retry-After. */
export const waitingStatuses: readonly number[] = [429, 503];

/** Statuses whose response can name another item than the request. */
const namingStatuses: readonly number[] = [400, 409];

function statusValue(status: number): Pick<FaultKind, "value"> {
  if (waitingStatuses.includes(status)) return { value: "[DURATION]" };
  return namingStatuses.includes(status) ? { value: "[other]" } : {};
}

const statusKinds = statuses.flatMap(([status, help]): FaultKind[] => {
  const value = statusValue(status);
  return [
    { name: `${status}`, stage: "before", ...value, help: `${help}; without effect` },
    { name: `${status}-before`, stage: "before", ...value, help: `the same as ${status}` },
    { name: `${status}-after`, stage: "after", ...value, help: `${help}; after the effect` },
  ];
});

export const faultKinds: readonly FaultKind[] = [
  { name: "latency", stage: "delay", value: "DURATION", help: "wait before doing anything" },
  ...statusKinds,
  {
    name: "rate",
    stage: "before",
    value: "DURATION|DURATION/DURATION",
    help:
      "accept one request in the first duration and answer the others with 429; with Retry-After " +
      "in whole seconds if a second one is given",
  },
  { name: "reset-accept", stage: "connection", help: "reset a new connection at once" },
  { name: "reset-headers", stage: "before", help: "reset once the request's headers are read" },
  { name: "reset-body", stage: "before", help: "reset in the middle of the request's body" },
  { name: "reset-before", stage: "before", help: "read the whole request, do nothing, reset" },
  { name: "reset-after", stage: "after", help: "apply the write, then reset without a response" },
  { name: "late", stage: "before", value: "DURATION", help: "reset, and apply the write later" },
  { name: "hang", stage: "before", help: "do nothing and never answer" },
  { name: "hang-after", stage: "after", help: "apply the write and never answer" },
  {
    name: "truncate",
    stage: "after",
    value: "[length|chunked|close|prefix]",
    help:
      "cut the response short: against its content-length (the default), in the middle of a chunk, " +
      "by closing a connection with no length, or to a shorter body that is still valid JSON",
  },
  {
    name: "cut",
    stage: "after",
    value: "BYTES",
    help: "end the response inside a chunk, after this number of bytes of its body",
  },
  {
    name: "cut-close",
    stage: "after",
    value: "BYTES",
    help: "the same by closing a connection with no length, so that only the JSON shows it",
  },
  {
    name: "rows",
    stage: "rows",
    value: "COUNT",
    help: "a list (4.9 to 4.11) of its first rows only, complete in every other way; 0 for none",
  },
  {
    name: "lag",
    stage: "lag",
    value: "DURATION",
    help: "a list (4.9 to 4.11) as it was that long ago",
  },
  {
    name: "torn",
    stage: "before",
    value: "[length|chunked|close|prefix]",
    help: "start the response of a success and cut it short as truncate does; without effect",
  },
  { name: "malformed", stage: "after", help: "a body that is not JSON, complete in length" },
  { name: "html", stage: "after", help: "the right status with an HTML page for a body" },
  {
    name: "drip",
    stage: "after",
    value: "[BYTES/DURATION]",
    help: "answer slowly, 16/50ms by default",
  },
  {
    name: "shape",
    stage: "after",
    value:
      "wrapped|null|text|empty|extra|missing|types|unknown-status|other|hostile|" +
      "other-account|no-account|errors|import-error|repeated",
    help:
      "another body than documented: inside {results}, null, a string, no body at all, unknown " +
      "fields, a missing field, numbers for strings, unknown statuses, terminal escapes in text, " +
      "another account, an empty account number, errors beside results, a success around an error, " +
      "a repeated field",
  },
  { name: "auth", stage: "setting", value: "token|bare|both", help: "Authorization forms taken" },
  { name: "token", stage: "setting", value: "jwt|opaque", help: "kind of token issued" },
  {
    name: "token-life",
    stage: "setting",
    value: "DURATION",
    help: "life of tokens issued from now on",
  },
  { name: "statements-status", stage: "setting", value: "200|201", help: "success status of 4.3" },
  {
    name: "mirror",
    stage: "setting",
    value: "plain|payload|indexed",
    help: "supply point errors as documented, below a payload key, or arrays as objects by index",
  },
  {
    name: "batch",
    stage: "setting",
    value: "kept|undone",
    help: "what a failing transaction leaves of those before it in the request",
  },
];

/** A requested fault: its kind, endpoints, count and probability. */
export interface FaultSpec {
  readonly text: string;
  readonly kind: FaultKind;
  readonly value: string | undefined;
  readonly endpoints: ReadonlySet<Endpoint>;
  /** The number of injections, or Infinity if no count was given. */
  readonly count: number;
  /** The probability of each injection, from 0 to 1. */
  readonly probability: number;
}

const pattern =
  /^(?<kind>[a-z0-9-]+?)(?:=(?<value>[^@%]+?))?(?:@(?<endpoint>[a-z-]+?))?(?:x(?<count>\d+))?(?:%(?<percent>\d+(?:\.\d+)?))?$/;

/** Parses a fault. Throws an Error that names the text and the allowed values. */
export function parseFault(text: string): FaultSpec {
  const refuse = (reason: string): Error => new Error(`Fault "${text}": ${reason}`);
  const parts = pattern.exec(text)?.groups;
  if (parts === undefined) {
    throw refuse("expected KIND[=VALUE][@ENDPOINT][xCOUNT][%PROBABILITY], such as 500@notesx2.");
  }
  const kind = faultKinds.find(({ name }) => name === parts.kind);
  if (kind === undefined) {
    const names = faultKinds.map(({ name }) => name).join(", ");
    throw refuse(`"${parts.kind}" is not a kind of fault. Kinds: ${names}.`);
  }
  const value = parts.value;
  const wrong = wrongValue(kind, value);
  if (wrong !== undefined) throw refuse(wrong);
  const where = parts.endpoint ?? "rest";
  const endpoints = isEndpoint(where)
    ? [where]
    : Object.hasOwn(groups, where)
      ? groups[where]
      : undefined;
  if (endpoints === undefined) {
    const names = [...endpointNames, ...Object.keys(groups)].join(", ");
    throw refuse(`"${where}" is not an endpoint. Endpoints: ${names}.`);
  }
  const limited = parts.endpoint ?? parts.count ?? parts.percent;
  if (kind.stage === "setting" && limited !== undefined) {
    throw refuse(`${kind.name} is a setting and takes no endpoint, count or probability.`);
  }
  const percent = Number(parts.percent ?? 100);
  if (percent > 100) throw refuse("a probability is a percentage from 0 to 100.");
  return {
    text,
    kind,
    value,
    endpoints: new Set(endpoints),
    count: parts.count === undefined ? Number.POSITIVE_INFINITY : Number(parts.count),
    probability: percent / 100,
  };
}

function wrongValue(kind: FaultKind, value: string | undefined): string | undefined {
  const form = kind.value;
  if (form === undefined) return value === undefined ? undefined : `${kind.name} takes no value.`;
  if (value === undefined) {
    return form.startsWith("[") ? undefined : `${kind.name} needs a value: ${form}.`;
  }
  const plain = form.replace(/^\[|\]$/g, "");
  if (isValue(plain, value)) return undefined;
  const allowed = plain
    .replace("DURATION", "a duration such as 300ms or 2s")
    .replace(/^(?:BYTES|COUNT)$/, "a whole number");
  return `"${value}" is not a value of ${kind.name}. Allowed: ${allowed}.`;
}

/** Returns true if a value has one of the forms that `|` separates. */
function isValue(form: string, value: string): boolean {
  return form.split("|").some((one) => isWritten(one, value));
}

function isWritten(form: string, value: string): boolean {
  switch (form) {
    case "DURATION":
      return durationMs(value) !== undefined;
    case "DURATION/DURATION":
      return (
        value.split("/").length === 2 &&
        value.split("/").every((part) => isWritten("DURATION", part))
      );
    case "BYTES/DURATION":
      return dripRate(value) !== undefined;
    case "BYTES":
    case "COUNT":
      return /^\d{1,9}$/.test(value);
    default:
      return form === value;
  }
}

/** Returns the milliseconds of `300ms`, `1.5s` or `2m`, or undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text);
  if (match === null) return undefined;
  const unit = { ms: 1, s: 1000, m: 60_000 }[match[2] as "ms" | "s" | "m"];
  return Number(match[1]) * unit;
}

export interface DripRate {
  readonly bytes: number;
  readonly everyMs: number;
}

/** Parses a rate such as `16/50ms`: 16 bytes every 50 ms. */
export function dripRate(text: string): DripRate | undefined {
  const [bytes = "", span = "", ...more] = text.split("/");
  const everyMs = durationMs(span);
  if (!/^[1-9]\d{0,6}$/.test(bytes) || everyMs === undefined || more.length > 0) return undefined;
  return { bytes: Number(bytes), everyMs };
}
