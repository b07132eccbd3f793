import { useCallback } from "react";
import { apiUrl } from "../api/url.ts";
import { type Plan, urlOf, writeCommand } from "../session/send-form.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { asCommand, type CommandPlace } from "../text/as-command.ts";
import { asCurl } from "../text/as-curl.ts";
import { useApp, useSession } from "./app.tsx";

/**
 * Shows the request of a screen as a supplyline command and as curl. `segments` are the parts of
 * the path after the base URL, not encoded; the first one can contain slashes.
 */
export function useAsCommand(): (place: CommandPlace, segments: readonly string[]) => void {
  const session = useSession();
  const { overlays } = useApp();
  return useCallback(
    (place, segments) => {
      const [path = "", ...identifiers] = segments;
      const embedded = session.profile.baseUrl === null;
      overlays.command({
        command: asCommand(place, profileFlag(session.profile)),
        curl: asCurl(
          { method: "GET", url: apiUrl(session.baseUrl, path, identifiers) },
          session.authForm(),
        ),
        note: embedded
          ? "With --sandbox, the command starts a separate sandbox. For one that commands share, run supplyline sandbox in another terminal and export the SUPPLYLINE_BASE_URL and SUPPLYLINE_API_KEY it prints."
          : null,
      });
    },
    [session, overlays],
  );
}

/**
 * Shows a form as a supplyline command and as curl; `split` says that it is sent in several
 * requests.
 */
export function useWriteAsCommand(): (plan: Plan, split: boolean) => void {
  const session = useSession();
  const { overlays } = useApp();
  return useCallback(
    (plan, split) => {
      const { path, query, body } = plan.prepared;
      const embedded = session.profile.baseUrl === null;
      overlays.command({
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
    },
    [session, overlays],
  );
}
