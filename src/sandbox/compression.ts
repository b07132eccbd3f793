/** Compresses the responses to reads with gzip if the client accepts it. */
import { pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { createGzip, gzipSync } from "node:zlib";

/** Level 3 makes a list nine times smaller in a third of the time of the usual level 6. */
const options = { level: 3 };

/**
 * Minimum size in bytes. Compression makes shorter bodies larger, and web frameworks skip them,
 * too.
 */
const leastBytes = 200;

/** Returns true if an Accept-Encoding header allows gzip (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map(
    (header ?? "").split(",").map((part) => {
      const [coding = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
      const weight = parameters.find((word) => word.startsWith("q="));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0;
}

/** Compresses the body of a response. A list is compressed while its rows are created. */
export async function compressed(answer: Response, isList: boolean): Promise<Response> {
  if (answer.body === null) return answer;
  const headers = new Headers(answer.headers);
  headers.append("vary", "accept-encoding");
  const as = { status: answer.status, headers };
  if (isList && answer.status === 200) {
    headers.set("content-encoding", "gzip");
    return new Response(compressing(answer.body), as);
  }
  const body = new Uint8Array(await answer.arrayBuffer());
  if (body.length < leastBytes) return new Response(body, as);
  headers.set("content-encoding", "gzip");
  return new Response(compressedBytes(body), as);
}

export function compressedBytes(body: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(body, options));
}

/** Compresses a stream. Ends its source when the reader cancels. */
function compressing(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const gzip = createGzip(options);
  pipeline(Readable.fromWeb(body as NodeStream), gzip, () => {});
  return Readable.toWeb(gzip) as ReadableStream<Uint8Array>;
}
