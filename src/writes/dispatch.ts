/** What the write path asks of the service's client. */
import type { Answer, SupplyPointProcess } from "../api/service.ts";

export interface DispatchRequest {
  readonly method: "POST";
  /** Below the base URL, from INTERFACE 4. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The bytes of the JSON body, sent as they are. */
  readonly body: Uint8Array;
}

export interface DispatchOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called when the headers of this request (not of the token call) are put on the wire. */
  readonly onHeadersSent: () => void;
}

export interface DispatchAnswer {
  readonly httpStatus: number;
  /** The whole body as text. */
  readonly body: string;
}

/**
 * Sends one request once, renewing the token and sending again only after a 401. Rejects with
 * ServiceError, whose `facts.sent` is about this request: false means that it cannot have reached
 * the service, also when it was the token that could not be had.
 */
export type Dispatch = (
  request: DispatchRequest,
  options: DispatchOptions,
) => Promise<DispatchAnswer>;

/** INTERFACE 4.7. */
export type LookUpSupplyPoint = (
  supplier: string,
  identifier: string,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
) => Promise<Answer<SupplyPointProcess>>;

/** The part of the service that writes need. */
export interface WriteService {
  readonly baseUrl: string;
  readonly dispatch: Dispatch;
  readonly lookUpSupplyPoint: LookUpSupplyPoint;
}
