import { withWholeDeadline } from "./deadline.ts";
import { errorOf } from "./error-body.ts";
import { isServiceError, ServiceError } from "./errors.ts";
import { asksToWait } from "./rate-limit.ts";
import { readErrorText, readText } from "./read-body.ts";
import type { PostAnswer, PostOptions, PostRequest } from "./service.ts";
import type { Transport } from "./transport.ts";

/** The answer to a write echoes what was sent; this much of it is read. */
const answerLimit = 32 * 1024 * 1024;

/** See `Service.post`. */
export async function post(
  transport: Transport,
  request: PostRequest,
  options: PostOptions,
): Promise<PostAnswer> {
  const query = new URLSearchParams(request.query).toString();
  const { authorisation, clock, closed, rateLimit } = transport;
  const { signal, timeoutMs, onHeadersSent } = options;
  const url = `${transport.baseUrl}${request.path}${query === "" ? "" : `?${query}`}`;
  const send = async (ending: AbortSignal): Promise<PostAnswer> => {
    const answer = await authorisation.send({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      body: request.body,
      freshConnection: request.freshConnection,
      signal: ending,
      timeoutMs,
      onSent: onHeadersSent,
    });
    if (answer.status >= 200 && answer.status < 300) {
      // It is kept on disk, where no token may stand.
      const body = authorisation.hide(await readText(answer, answerLimit));
      return { httpStatus: answer.status, body };
    }
    throw errorOf(answer, await readErrorText(answer), authorisation.hide);
  };
  const sentAt = clock.now();
  try {
    // The wait for a token counts as well: a token that never comes is reported as that.
    const answer = await withWholeDeadline({ clock, closed, signal, timeoutMs }, send);
    rateLimit.answered();
    return answer;
  } catch (error) {
    if (isServiceError(error) && asksToWait(error)) rateLimit.limited(error, sentAt);
    // What went wrong with the token call is not about this request.
    if (!isServiceError(error) || error.facts.url === url) throw error;
    throw new ServiceError(error.kind, error.message, { ...error.facts, sent: false });
  }
}
