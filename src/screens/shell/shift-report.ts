/** The palette action that writes a shift report for the next operator. */
import { useApp } from "../../hooks/app.tsx";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Action } from "../../keys/scopes.ts";
import type { Session } from "../../session/open-session.ts";
import type { ReportScope } from "../../session/shift-report.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { commandLine } from "../../text/as-command.ts";
import { formatInstant, localZone, utcInstant } from "../../text/dates.ts";
import { hourMs } from "../../text/durations.ts";
import { spanStart } from "../../text/time-bounds.ts";

/**
 * Returns the palette action that writes a shift report to a file, or nothing without a session.
 * The action asks for the start, and also for the suppliers if the screen has a supplier.
 */
export function useShiftReport(
  session: Session | null,
  supplier: string | null,
): Action | undefined {
  const app = useApp();
  const write = useWriteFile();
  const { clock, overlays } = app;
  if (session === null) return undefined;
  const formatOf = (ending: string) => (ending === ".html" ? "html" : "md");
  const writeTo = (path: string, scope: ReportScope) =>
    write(
      {
        what: "shift report",
        endings: [".md", ".html"],
        async *pieces(ending, signal) {
          const { shiftReport } = await import("../../session/shift-report.ts");
          const format = formatOf(ending);
          yield await shiftReport(session, app, { ...scope, format, signal });
        },
        command: (file, ending) =>
          commandLine(
            {
              words: ["report"],
              operands: scope.supplier === null ? [] : [scope.supplier],
              options: [
                ["--since", utcInstant(scope.since)],
                ["--format", formatOf(ending)],
                ["--output", file],
              ],
            },
            profileFlag(session.profile),
          ),
      },
      path,
    );
  const askFile = (scope: ReportScope) =>
    overlays.prompt({
      title: `Shift report of ${scope.supplier ?? "all suppliers"} since ${formatInstant(scope.since, { seconds: false })}`,
      label: "File",
      hint: "A new file; its name ends in .md or .html.",
      initial: `handover-${formatInstant(clock.now()).slice(0, 10)}.md`,
      onSubmit: (path) => writeTo(path, scope),
    });
  const askSupplier = (since: number) => {
    if (supplier === null) {
      askFile({ since, supplier: null });
      return;
    }
    overlays.choose("Shift report: which suppliers?", [
      {
        label: "All",
        hint: "every supplier of this profile",
        run: () => askFile({ since, supplier: null }),
      },
      { label: supplier, hint: "this one alone", run: () => askFile({ since, supplier }) },
    ]);
  };
  const askTime = () =>
    overlays.prompt({
      title: "Shift report: since when?",
      label: "Since",
      hint: "For example 12h, 2d, yesterday 18:00 or 2026-11-20 14:00.",
      onSubmit: (typed) => {
        const since = sinceOf(typed, clock.now());
        if (typeof since === "string") return since;
        askSupplier(since);
        return null;
      },
    });
  return {
    run: () =>
      overlays.choose("Shift report: since when?", [
        ...[8, 24].map((hours) => ({
          label: `${hours} hours`,
          hint: `the last ${hours} hours`,
          run: () => askSupplier(clock.now() - hours * hourMs),
        })),
        {
          label: "This session",
          hint: `since ${formatInstant(session.openedAt, { seconds: false })}, when the profile was opened`,
          run: () => askSupplier(session.openedAt),
        },
        { label: "Another time", hint: "12h, yesterday 18:00, 2026-11-20 14:00", run: askTime },
      ]),
  };
}

function sinceOf(typed: string, now: number): number | string {
  const since = spanStart(typed, { now, timeZone: localZone() });
  if (!since.ok) return since.message;
  return since.ms > now ? "That time is in the future." : since.ms;
}
