import { useCallback } from "react";
import { writeCommand } from "../session/write-command.ts";
import { type Plan, urlOf } from "../session/write-plan.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { asCurl } from "../text/as-curl.ts";
import { useOverlays } from "./overlay.tsx";
import { useSession } from "./session.tsx";

/**
 * Shows a form as a supplyline command and as curl; `split` says that it is sent in several
 * requests.
 */
export function useWriteAsCommand(): (plan: Plan, split: boolean) => void {
  const session = useSession();
  const overlays = useOverlays();
  return useCallback(
    (plan, split) => {
      const { path, query, body } = plan.prepared;
      const embedded = session.profile.baseUrl === null;
      overlays.open({
        kind: "as-command",
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
