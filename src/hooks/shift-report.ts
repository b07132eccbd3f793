import type { Action } from "../keys/scopes.ts";
import type { Session } from "../session/open-session.ts";
import { formatInstant } from "../text/dates.ts";
import { useConsole } from "./console.tsx";
import { useOverlays } from "./overlay.tsx";
import { useWriteFile } from "./write-file.ts";

/** A shift. */
const spanMs = 8 * 3_600_000;

/** The palette action that writes a report of the last hours to a file; none without a profile. */
export function useShiftReport(session: Session | null): Action | undefined {
  const surroundings = useConsole();
  const overlays = useOverlays();
  const write = useWriteFile();
  if (session === null) return undefined;
  const writeTo = (path: string) =>
    write(
      {
        what: "the shift report",
        endings: [".md", ".html"],
        async *pieces(ending, signal) {
          const { shiftReport } = await import("../session/shift-report.ts");
          const since = surroundings.clock.now() - spanMs;
          const format = ending === ".html" ? "html" : "md";
          yield await shiftReport(session, surroundings, { since, format, signal });
        },
      },
      path,
    );
  return {
    run: () =>
      overlays.open({
        kind: "prompt",
        title: "Shift report of the last 8 hours",
        label: "File",
        isPath: true,
        hint: "A new file; its name ends in .md or .html.",
        initial: `handover-${formatInstant(surroundings.clock.now()).slice(0, 10)}.md`,
        onSubmit: writeTo,
      }),
  };
}
