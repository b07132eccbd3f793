import { apiUrl } from "../api/url.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { asCommand, type CommandPlace } from "../text/as-command.ts";
import { asCurl } from "../text/as-curl.ts";
import type { Here } from "./app.ts";
import { type Plan, urlOf, writeCommand } from "./send-form.ts";

/**
 * Shows the request of a screen as a supplyline command and as curl. `segments` are the parts of
 * the path after the base URL, not encoded; the first one can contain slashes.
 */
export function showAsCommand(
  { app, session }: Here,
  place: CommandPlace,
  segments: readonly string[],
): void {
  const [path = "", ...identifiers] = segments;
  const embedded = session.profile.baseUrl === null;
  app.overlays.command({
    command: asCommand(place, profileFlag(session.profile)),
    curl: asCurl(
      { method: "GET", url: apiUrl(session.baseUrl, path, identifiers) },
      session.authForm(),
    ),
    note: embedded
      ? "With --sandbox, the command starts a separate sandbox. For one that commands share, run supplyline sandbox in another terminal and export the SUPPLYLINE_BASE_URL and SUPPLYLINE_API_KEY it prints."
      : null,
  });
}

/**
 * Shows a list of all accounts of a supplier as a supplyline command and as curl (INTERFACE 4.9).
 */
export function showListAsCommand(here: Here, place: CommandPlace, supplier: string): void {
  showAsCommand(here, place, ["v1/data-import/all-account-import-processes", supplier]);
}

/**
 * Shows a form as a supplyline command and as curl. `split` is true if it is sent in several
 * requests.
 */
export function showWriteAsCommand({ app, session }: Here, plan: Plan, split: boolean): void {
  const { path, query, body } = plan.prepared;
  const embedded = session.profile.baseUrl === null;
  app.overlays.command({
    command: writeCommand(plan, profileFlag(session.profile)),
    curl: asCurl(
      {
        method: "POST",
        url: urlOf(session.baseUrl, path, query),
        body: new TextDecoder().decode(body),
      },
      session.authForm(),
    ),
    note: [
      ...(split ? ["These send everything in one request."] : []),
      ...(embedded ? ["With --sandbox, the command starts a separate sandbox."] : []),
      "curl keeps no journal and resends nothing.",
    ].join(" "),
  });
}
