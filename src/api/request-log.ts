/** Logs the course of each request, and the bodies that the user asked for. */
import { isLogged, log, logBody } from "../log/log.ts";
import type { Clock } from "./clock.ts";
import type { ServiceError } from "./errors.ts";

export interface RequestLog {
  sent(): void;
  answered(status: number, retryAfter: string | null): void;
  ended(bytes: number): void;
  failed(error: ServiceError): void;
}

const noLog: RequestLog = { sent() {}, answered() {}, ended() {}, failed() {} };

let lastId = 0;

interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: Uint8Array;
}

/** Begins the log of a request. Without a log, the steps have no effect. */
export function logRequest(
  { method, url, body }: LoggedRequest,
  clock: Pick<Clock, "elapsed">,
): RequestLog {
  if (!isLogged()) return noLog;
  lastId += 1;
  const id = lastId;
  const began = clock.elapsed();
  const ms = () => clock.elapsed() - began;
  let isOver = false;
  log({ event: "request", id, method, url, requestBytes: body?.length ?? 0 });
  return {
    sent: () => log({ event: "sent", id, ms: ms() }),
    answered: (status, retryAfter) => log({ event: "answer", id, status, ms: ms(), retryAfter }),
    ended(bytes) {
      if (!isOver) log({ event: "answer-read", id, ms: ms(), bytes });
      isOver = true;
    },
    failed({ kind, facts }) {
      if (isOver) return;
      isOver = true;
      const { systemCode: code = null, sent = false } = facts;
      log({ event: "request-failed", id, ms: ms(), kind, code, sent });
    },
  };
}

/** Maximum length of a logged body, in characters. */
const maxBodyLength = 65_536;

/** Logs the bytes of a write. The token call has an API key in its body, so it is not logged. */
export function logRequestBody(url: string, body: Uint8Array): void {
  logBody(() => {
    const text = Buffer.from(body).toString("utf8").slice(0, maxBodyLength);
    return { event: "body", of: "request", url, text };
  });
}

/** Logs the body of a response, without known secrets. A list or a token is not logged. */
export function logAnswerBody(url: string, text: string): void {
  logBody(() => ({ event: "body", of: "answer", url, text: text.slice(0, maxBodyLength) }));
}
