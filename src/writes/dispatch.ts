/** What the write path asks of the service's client. */
import type { RateLimit } from "../api/rate-limit.ts";
import type { Answer, Service, SupplyPointProcess } from "../api/service.ts";

/** Sends one write once, as {@link Service.post} does. */
export type Dispatch = Service["post"];

/** INTERFACE 4.7. */
export type LookUpSupplyPoint = (
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
