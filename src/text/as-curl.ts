/** Writes a request as a curl command for a shell. */
import { shellQuote } from "./shell-quote.ts";

/** The parts of a request that curl needs. */
interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string | undefined;
}

/** Returns the address without a user name and password. */
function withoutUserinfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");
}

/**
 * Returns the curl command of a request over several lines, ready to be pasted into a POSIX shell.
 * It never contains the token: the shell inserts `SUPPLYLINE_TOKEN`. `form` is the form of the
 * Authorization header (INTERFACE 5.3). The body is sent byte for byte.
 */
export function asCurl(request: CurlRequest, form: "token" | "bare"): string {
  const word = form === "token" ? "Token " : "";
  const url = withoutUserinfo(request.url);
  const method = request.method.toUpperCase();
  const lines = [
    method === "GET" ? "curl -sS" : `curl -sS -X ${shellQuote(method)}`,
    `-H "Authorization: ${word}$SUPPLYLINE_TOKEN"`,
    "-H 'Accept: application/json'",
  ];
  if (request.body !== undefined) {
    lines.push("-H 'Content-Type: application/json'");
    // A leading @ would make --data-binary read a file.
    const flag = request.body.startsWith("@") ? "--data-raw" : "--data-binary";
    lines.push(`${flag} ${shellQuote(request.body)}`);
  }
  // Brackets and braces in an address are patterns to curl.
  if (/[[\]{}]/.test(url)) lines.push("--globoff");
  lines.push(shellQuote(url));
  return lines.join(" \\\n  ");
}
