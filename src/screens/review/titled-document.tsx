import type { ReactNode } from "react";
import { Document } from "../../components/document.tsx";
import type { DocumentLine } from "../../components/document-builder.ts";
import { JournalProblem } from "../../components/journal-problem.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { wrap } from "../../text/width.ts";

/** A longer title is cut: the lines below it name everything in full. */
const titleRows = 2;

/** A title, a line of status where there is one, and a document in the room above the last line. */
export function TitledDocument(props: {
  readonly title: string;
  readonly status?: ReactNode;
  readonly lines: readonly DocumentLine[];
  /** Stays at the last lines as they are added. */
  readonly tail?: boolean;
  /** Shown in place of the document. */
  readonly failed: { readonly error: unknown; readonly doing: string } | null;
}) {
  const { title, status, lines, tail = false, failed } = props;
  const { columns } = useRoom();
  const rows = Math.min(titleRows, wrap(title, columns).length);
  return (
    <>
      <Paragraph bold most={titleRows}>
        {title}
      </Paragraph>
      {status}
      {failed === null ? (
        <Document lines={lines} taken={rows + (status === undefined ? 1 : 2)} tail={tail} />
      ) : (
        <JournalProblem {...failed} />
      )}
    </>
  );
}
