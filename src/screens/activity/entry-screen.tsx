/** The screen of one journal entry. */
import { Body } from "../../components/body.tsx";
import { EntryRecord, useRecordKeys } from "../../components/entry-record.tsx";
import { JournalMissing } from "../../components/journal-problem.tsx";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { useEntry } from "../../hooks/journal.ts";

/** Shows one journal entry in tabs, with its outcome, and verifies or resends it. */
export function EntryScreen(props: { readonly id: string }) {
  const id = Number(props.id);
  const { view } = useEntry(id);
  useKeysWaitForJournal(view.kind === "opening");
  const value = view.kind === "read" ? view.value : null;
  useRecordKeys(id, value);
  if (value) return <EntryRecord view={value} />;
  return (
    <Body>
      <JournalMissing view={view} doing={`reading entry ${id}`} />
    </Body>
  );
}
