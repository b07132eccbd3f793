/** The part of the service's client that the write path uses. */
import type { RateLimit } from "../api/rate-limit.ts";
import type { Answer, Service, SupplyPointProcess } from "../api/service.ts";

/** Sends one write once, as {@link Service.post} does. */
type Dispatch = Service["post"];

/** INTERFACE 4.7. */
type LookUpSupplyPoint = (
  supplier: string,
  identifier: string,
  options: {
    readonly signal: AbortSignal;
    readonly timeoutMs: number;
    /** How far waits that the service asks for may put that off, in milliseconds. */
    readonly rateLimitWaitMs: number;
  },
) => Promise<Answer<SupplyPointProcess>>;

/** The part of the service that writes need. */
export interface WriteService {
  readonly baseUrl: string;
  readonly dispatch: Dispatch;
  readonly lookUpSupplyPoint: LookUpSupplyPoint;
  /** See `Service.rateLimit`. */
  readonly rateLimit: RateLimit;
  /** See `Service.renewConnections`. */
  readonly renewConnections: () => void;
}

/** The part of a service that writes need. */
export function writeServiceOf(service: Service): WriteService {
  return {
    baseUrl: service.baseUrl,
    rateLimit: service.rateLimit,
    renewConnections: () => service.renewConnections(),
    dispatch: (request, options) => service.post(request, options),
    lookUpSupplyPoint: (supplier, identifier, options) =>
      service.supplyPoints.status(supplier, identifier, options),
  };
}
