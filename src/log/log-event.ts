/** Defines the events of the log. Durations are in milliseconds, sizes in bytes. */

/**
 * An event of the log. No event has a header or a secret. Only `body` has a body, and only if the
 * user asked for bodies.
 */
export type LogEvent =
  | StartEvent
  | ProfileEvent
  | RequestEvent
  | ConnectionEvent
  | WaitEvent
  | DiskEvent
  | ConsoleEvent
  | EndEvent;

interface StartEvent {
  readonly event: "start";
  readonly version: string;
  readonly node: string;
  readonly system: string;
  /** The command without its arguments, which can be personal data, or `console`. */
  readonly command: string;
  readonly term: string | null;
  /** Size of the terminal in cells, or null if the output is no terminal. */
  readonly columns: number | null;
  readonly rows: number | null;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly bodies: boolean;
}

interface ProfileEvent {
  readonly event: "profile";
  readonly name: string;
  readonly environment: string;
  readonly baseUrl: string;
  readonly authForm: string;
  readonly isGzipAccepted: boolean;
  readonly proxy: string | null;
  readonly hasExtraCertificates: boolean;
  readonly hasCredentialHelper: boolean;
}

/** The course of a request. `id` is the same in all events of a request. */
type RequestEvent =
  | {
      readonly event: "request";
      readonly id: number;
      readonly method: string;
      readonly url: string;
      readonly requestBytes: number;
    }
  /** The headers were sent, so the service might have received the request. */
  | { readonly event: "sent"; readonly id: number; readonly ms: number }
  | {
      readonly event: "answer";
      readonly id: number;
      readonly status: number;
      readonly ms: number;
      readonly retryAfter: string | null;
    }
  /** The body was read to its end, or its reader stopped. */
  | {
      readonly event: "answer-read";
      readonly id: number;
      readonly ms: number;
      readonly bytes: number;
    }
  | {
      readonly event: "request-failed";
      readonly id: number;
      readonly ms: number;
      readonly kind: string;
      readonly code: string | null;
      readonly sent: boolean;
    }
  | BodyEvent;

export interface BodyEvent {
  readonly event: "body";
  readonly of: "request" | "answer";
  readonly url: string;
  readonly text: string;
}

type ConnectionEvent =
  | { readonly event: "connecting"; readonly host: string }
  | { readonly event: "connected"; readonly host: string; readonly ms: number }
  | {
      readonly event: "connection-failed";
      readonly host: string;
      readonly ms: number;
      readonly code: string | null;
    }
  /** `ms` is the time for which the connection was open. */
  | { readonly event: "connection-closed"; readonly host: string; readonly ms: number };

type WaitEvent =
  | {
      readonly event: "retry";
      readonly url: string | null;
      readonly kind: string;
      readonly n: number;
      readonly waitMs: number;
    }
  | { readonly event: "pause"; readonly isTooMany: boolean; readonly ms: number }
  | { readonly event: "turn"; readonly waitedMs: number; readonly isGranted: boolean }
  | {
      readonly event: "write-wait";
      readonly entry: number;
      readonly why: string;
      readonly before: string;
      readonly ms: number;
    };

type DiskEvent =
  | {
      readonly event: "file-opened";
      readonly file: string;
      readonly mode: string;
      readonly ms: number;
    }
  /** `lockMs` is the part of `ms` that other processes blocked. */
  | {
      readonly event: "commit";
      readonly file: string;
      readonly jobs: number;
      readonly lockMs: number;
      readonly ms: number;
    }
  | {
      readonly event: "commit-failed";
      readonly file: string;
      readonly lockMs: number;
      readonly ms: number;
      readonly code: string;
    }
  | {
      readonly event: "file-written";
      readonly path: string;
      readonly bytes: number;
      readonly ms: number;
    }
  | {
      readonly event: "file-failed";
      readonly path: string;
      readonly code: string;
      readonly ms: number;
    };

type ConsoleEvent =
  | {
      readonly event: "slow-frame";
      readonly ms: number;
      readonly columns: number;
      readonly rows: number;
    }
  | { readonly event: "slow-key"; readonly ms: number };

type EndEvent =
  /** An error that ends the command. `stack` has no message, because a message can quote a value. */
  | { readonly event: "failure"; readonly kind: string; readonly stack: string | null }
  | { readonly event: "crash"; readonly stack: string }
  | { readonly event: "end"; readonly exitCode: number; readonly ms: number };
