import type { Action } from "../keys/scopes.ts";
import { fileCommand } from "../session/bulk-file.ts";
import type { CheckedFile } from "../session/tasks.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { useOverlays } from "./overlay.tsx";
import { useSession } from "./session.tsx";

/** The key that shows the check of a file as a command. */
export function useFileCommand(file: CheckedFile): Action {
  const { profile } = useSession();
  const overlays = useOverlays();
  return {
    run: () =>
      overlays.open({
        kind: "as-command",
        command: fileCommand(file, profileFlag(profile)),
        curl: null,
        note: "With --dry-run it checks every row and sends nothing.",
      }),
  };
}
