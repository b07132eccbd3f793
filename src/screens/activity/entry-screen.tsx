import { EntryRecord, useRecordKeys } from "../../components/entry-record.tsx";
import { JournalMissing } from "../../components/journal-problem.tsx";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { useEntry } from "../../hooks/journal.ts";
import { TeamEntry } from "./team-entry.tsx";

/** Shows one entry: of the journal, or of a colleague (`t1042`). */
export function EntryScreen({ id }: { readonly id: string }) {
  const [, team] = /^t(\d+)$/.exec(id) ?? [];
  return team === undefined ? <OwnEntry id={Number(id)} /> : <TeamEntry id={Number(team)} />;
}

EntryScreen.help = {
  name: "Entry",
  about: [
    "One entry: exactly what was sent, every attempt, and each response from the service.",
    "If the outcome is unknown, verify it before you send anything again.",
  ],
  words: ["outcome"],
} as const;

/** Shows one journal entry in tabs, with its outcome, and verifies or resends it. */
function OwnEntry({ id }: { readonly id: number }) {
  const { view } = useEntry(id);
  useKeysWaitForJournal(view.kind === "opening");
  const value = view.kind === "read" ? view.value : null;
  useRecordKeys(id, value);
  if (value) return <EntryRecord view={value} />;
  return <JournalMissing view={view} doing={`reading entry ${id}`} />;
}
