/** Every fault of the campaign, as what the sandbox is asked for at one endpoint. */
import type { Endpoint } from "../../src/sandbox/endpoints.ts";

export interface CampaignFault {
  readonly name: string;
  /** Fault specs for an endpoint. */
  readonly specs: (endpoint: Endpoint) => readonly string[];
  /** The service does not end it by itself: time has to pass. */
  readonly hangs?: true;
  /** A connection of its own for each write, or there would be nothing to inject. */
  readonly freshConnections?: true;
  /** The port is closed now and then. */
  readonly closesPort?: true;
  /** Its answers prove nothing, or they are not for this endpoint. */
  readonly notAt?: readonly Endpoint[];
}

const half = 50;

/** One kind that is injected at every other request. */
function plain(kind: string, extra: Partial<CampaignFault> = {}): CampaignFault {
  return { name: kind, specs: (endpoint) => [`${kind}@${endpoint}%${half}`], ...extra };
}

/** First in doubt, then refused: what the second says must not undo the first. */
function thenRefused(first: string, status: string): CampaignFault {
  return {
    name: `${first}, then ${status}`,
    specs: (endpoint) => [`${status}@${endpoint}%40`, `${first}@${endpoint}%70`],
    notAt: ["token", "supply-point-status", "supply-points-validate"],
  };
}

/** The body of a creation's answer is empty: there is nothing to cut that anyone could miss. */
const bodiless: readonly Endpoint[] = ["supply-points-create"];

const reads: readonly Endpoint[] = ["supply-point-status", "token", "supply-points-validate"];

export const campaignFaults: readonly CampaignFault[] = [
  { name: "refused", specs: () => [], closesPort: true, freshConnections: true },
  { name: "reset-accept", specs: () => [`reset-accept%${half}`], freshConnections: true },
  plain("reset-headers"),
  plain("reset-body"),
  plain("reset-before"),
  plain("reset-after"),
  plain("late=5ms"),
  plain("hang", { hangs: true }),
  plain("hang-after", { hangs: true }),
  plain("500"),
  plain("500-after"),
  plain("502"),
  plain("502-after"),
  plain("503=1s"),
  plain("503-after"),
  plain("504"),
  plain("504-after"),
  plain("429=1s"),
  plain("302"),
  plain("302-after", { notAt: reads }),
  plain("303-after", { notAt: reads }),
  plain("400"),
  plain("400=other", { notAt: reads }),
  plain("400-after=other", { notAt: reads }),
  plain("401"),
  plain("403"),
  plain("404"),
  plain("409", { notAt: reads }),
  plain("409-after", { notAt: reads }),
  plain("409-after=other", { notAt: reads }),
  plain("423-after", { notAt: reads }),
  ...["408", "425", "444", "460", "499"].flatMap((status) => [
    plain(status, { notAt: reads }),
    plain(`${status}-after`, { notAt: reads }),
  ]),
  plain("truncate=length"),
  plain("truncate=chunked"),
  plain("truncate=close", { notAt: bodiless }),
  plain("truncate=prefix", { notAt: bodiless }),
  plain("torn=length", { notAt: reads }),
  plain("torn=chunked", { notAt: reads }),
  plain("torn=close", { notAt: reads }),
  plain("torn=prefix", { notAt: [...reads, ...bodiless] }),
  plain("drip=64/1ms"),
  ...["100", "102", "103"].map((status) => plain(`interim=${status}`)),
  plain("malformed"),
  plain("html"),
  ...[
    "wrapped",
    "null",
    "text",
    "empty",
    "extra",
    "missing",
    "types",
    "unknown-status",
    "hostile",
  ].map((shape) => plain(`shape=${shape}`)),
  ...["other", "other-account", "no-account", "errors", "import-error", "repeated"].map((shape) =>
    plain(`shape=${shape}`, { notAt: [...reads, ...bodiless] }),
  ),
  thenRefused("reset-after", "400"),
  thenRefused("reset-after", "404"),
  thenRefused("reset-before", "400"),
  thenRefused("502-after", "403"),
  thenRefused("500", "400"),
  {
    name: "several",
    specs: (endpoint) => [
      `429=1s@${endpoint}%15`,
      `503@${endpoint}%15`,
      `reset-before@${endpoint}%15`,
      `401@${endpoint}%10`,
      `truncate@${endpoint}%15`,
      `reset-after@${endpoint}%15`,
      `500@${endpoint}%10`,
    ],
  },
];

/** The conclusion that a client can draw from each fault, by the first word of its name. */
export type Sight =
  /** It got the answer. */
  | "answer"
  /** It may or may not have taken effect. */
  | "doubt"
  /** A 500, which is doubt but for payment instructions. */
  | "500"
  /** It was refused, and that ends it. */
  | "refusal"
  /** It may or may not have taken effect, and that ends it. */
  | "open"
  /** It was refused because of another request, which might have been the same; that ends it. */
  | "conflict"
  /** It is to come again. */
  | "again"
  /** An answer of another shape than documented: whether it can be read depends on the endpoint. */
  | "odd";

const sights: Readonly<Record<string, Sight>> = {
  latency: "answer",
  drip: "answer",
  interim: "answer",
  "500": "500",
  "500-after": "500",
  "302": "open",
  "302-after": "open",
  "303-after": "open",
  "400": "refusal",
  "409": "conflict",
  "409-after": "conflict",
  "423-after": "conflict",
  "403": "refusal",
  "404": "refusal",
  "401": "again",
  "429": "again",
  // It never saw a request.
  "reset-accept": "again",
  shape: "odd",
  // They name what was not sent, so they belong to another request.
  "400=other": "doubt",
  "400-after=other": "doubt",
  "409-after=other": "doubt",
  "shape=other": "doubt",
  "shape=other-account": "doubt",
  // They contradict themselves.
  "shape=no-account": "doubt",
  "shape=errors": "doubt",
  "shape=import-error": "doubt",
  "shape=repeated": "doubt",
};

/** `fault` as the sandbox names it, for example `truncate=close`; null when nothing injected. */
export function sightOf(fault: string | null): Sight {
  if (fault === null) return "answer";
  const [kind = ""] = fault.split("=");
  return sights[fault] ?? sights[kind] ?? "doubt";
}
