/** For whoever wants to compare what came in with what a client says it has sent. */
import type { Endpoint } from "./endpoints.ts";

/** One request as it came in, before anything is done about it; or a connection that was refused. */
export interface Arrival {
  /** 1, 2, 3, … */
  readonly n: number;
  /** Instant of the service's clock, epoch ms. */
  readonly at: number;
  readonly endpoint: Endpoint | "connection";
  /** Path and query. */
  readonly path: string;
  /** Of the whole body, as hexadecimal; null where none was sent or not all of it was read. */
  readonly sha256: string | null;
  /** The fault that strikes it, with its value, for example `truncate=close`. */
  readonly fault: string | null;
}

/** Called while requests are served; what it throws is a fault of whoever observes. */
export interface Observer {
  arrived(arrival: Arrival): void;
  /** Nothing more becomes of it. The status of its answer; null when there was none. */
  ended(n: number, status: number | null): void;
}
