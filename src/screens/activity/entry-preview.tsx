import { useMemo } from "react";
import { DocumentLines } from "../../components/document.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Line } from "../../components/text.tsx";
import { useWrite } from "../../hooks/journal.ts";
import { useShownZone } from "../../hooks/now.ts";
import { useRoom } from "../../hooks/window.tsx";
import { useTheme } from "../../theme.tsx";
import { meaningWords, outcomeWords } from "../../writes/words/outcomes.ts";
import { recordLines } from "./entry-lines.ts";

/** What is recorded of an entry, as much as the room beside the list takes. */
export function EntryPreview(props: { readonly id: number }) {
  const { ascii } = useTheme();
  const room = useRoom();
  const zone = useShownZone();
  const { view } = useWrite(props.id);
  const detail = view.kind === "read" ? (view.value?.detail ?? null) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another zone they write other times
  const lines = useMemo(
    () => (detail === null ? [] : recordLines(detail, room.columns, ascii)),
    [detail, room.columns, ascii, zone],
  );
  if (detail === null) return null;
  return (
    <>
      <Line pieces={[{ text: `Entry ${detail.journal_id}`, bold: true }]} />
      <StatusBadge words={outcomeWords[detail.outcome]} />
      <Paragraph most={3}>{meaningWords(detail)}</Paragraph>
      <DocumentLines lines={lines.slice(0, Math.max(0, room.rows - 6))} />
    </>
  );
}
