/** The review of a checked bulk file, before its rows are sent. */
import { basename } from "node:path";
import { useMemo } from "react";
import { Body } from "../../components/body.tsx";
import type { Sentence } from "../../components/document.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { useHere, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useFileChange } from "../../hooks/file-change.ts";
import { fileCommandKey } from "../../session/bulk-file.ts";
import type { CheckedFile } from "../../session/tasks.ts";
import { count } from "../../text/numbers.ts";
import { RowsReview } from "./rows-review.tsx";

/** Shows the rows of a checked file before they are sent. */
export function FileReviewScreen({ path }: { readonly path: string }) {
  const task = useStore(useSession().tasks.files.all).get(path);
  if (task?.kind === "ended" && task.end.kind === "checked" && task.end.file.issues.errors === 0)
    return <FileReview file={task.end.file} />;
  return (
    <Body>
      <Paragraph>The file is not checked any more. Go back and check it again.</Paragraph>
    </Body>
  );
}

function FileReview({ file }: { readonly file: CheckedFile }) {
  const { path } = file;
  const here = useHere();
  const { key } = here.app;
  const name = basename(path);
  const before = useMemo(() => warningWords(file), [file]);
  const source = useMemo(() => ({ kind: "file", path }) as const, [path]);
  const isSame = useFileChange(file) === "same";
  return (
    <RowsReview
      source={source}
      checked={file}
      draft={null}
      below={0}
      before={before}
      warnings={[]}
      choices={[]}
      titled={`from ${name}`}
      asked={`from ${name}`}
      askedWithoutHeld={`from ${name}`}
      obstacle={
        isSame
          ? null
          : `${name} is not the file that was checked: ${key("back")} goes back, to read it again.`
      }
      backLabel="to the file"
      keys={{ "as-command": fileCommandKey(here, file) }}
    />
  );
}

function warningWords({ issues: { warnings, firstWarnings } }: CheckedFile): readonly Sentence[] {
  const look = { tone: "waiting" } as const;
  const more = warnings - firstWarnings.length;
  return [
    ...firstWarnings.map(({ line, column, message }) => ({
      words: `! Line ${line}${column === null ? "" : `, ${column}`}: ${message}`,
      look,
    })),
    ...(more > 0 ? [{ words: `and ${count(more)} more warnings`, look }] : []),
  ];
}
