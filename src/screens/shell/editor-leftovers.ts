import { rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { useEffect } from "react";
import { useConsole } from "../../hooks/console.tsx";
import { useNotices } from "../../hooks/notices.tsx";
import type { EditedText } from "../../settings/editing-folder.ts";
import type { SavedDraft, SavedDrafts } from "../../settings/saved-drafts.ts";
import { dayMs } from "../../text/durations.ts";
import { plural } from "../../text/numbers.ts";

/** An editor that outlived its console can still save into its folder for this long. */
const mayStillBeOpenMs = dayMs;

/** What editors left is removed after this long, like the bodies in the journal. */
const storedForMs = 90 * dayMs;

/** A text that an editor left when its console was killed, and where it is now. */
export type Leftover =
  | { readonly kind: "draft"; readonly draft: SavedDraft }
  | { readonly kind: "file"; readonly path: string };

/** Finds once, after the first frame, what editors left whose console was killed. */
export function useEditorLeftovers(): void {
  const { stateDir, formDrafts, clock, pid } = useConsole();
  const notices = useNotices();
  useEffect(() => {
    const find = async () => {
      const names = await readdir(stateDir);
      if (!names.some((name) => name === "drafts" || name.startsWith("editing-"))) return;
      const found = await takeUpLeftovers({ stateDir, drafts: formDrafts, pid, now: clock.now() });
      if (found.length > 0) notices.show(leftoverWords(found), "waiting");
    };
    find().catch(() => {});
  }, [stateDir, formDrafts, clock, pid, notices]);
}

/**
 * Saves each text that was changed in an editor whose process has ended with its draft, where it is
 * offered; one that no draft can take becomes a file beside the drafts. The folders stay for a day,
 * since the editor may still be open.
 */
export async function takeUpLeftovers(options: {
  readonly stateDir: string;
  readonly drafts: SavedDrafts;
  readonly pid: number;
  readonly now: number;
}): Promise<readonly Leftover[]> {
  const { stateDir, drafts, pid, now } = options;
  const editing = await import("../../settings/editing-folder.ts");
  const { changedAt, describeEditing, editingFolders, keepBeside, readEdited } = editing;
  const { ownerFrom, processLife } = await import("../../writes/owner.ts");
  const life = processLife(pid);
  const isOver = (kept: string) => {
    const owner = ownerFrom(kept);
    return owner === null || life.lifeOf(owner) === "dead";
  };
  const isInUse = (kept: string) => !isOver(kept);
  for (const path of editing.oldEditorFiles(stateDir, now - storedForMs, isInUse))
    rmSync(path, { recursive: true, force: true });
  const found: Leftover[] = [];
  for (const { folder, file, text } of editingFolders(stateDir)) {
    if (text === null || file === null || !isOver(text.owner)) continue;
    const left = readEdited(file);
    if (left.kind === "text" && left.text !== text.before) {
      const draft = withText(drafts.find(text.draft), left.text, text);
      if (draft !== null) {
        drafts.save(draft);
        describeEditing(folder, { ...text, before: left.text });
        found.push({ kind: "draft", draft });
        continue;
      }
    }
    if (left.kind === "undecodable" || (left.kind === "text" && left.text !== text.before)) {
      found.push({ kind: "file", path: keepBeside(stateDir, file, { draft: text.draft, now }) });
      continue;
    }
    const isOld = changedAt(file) < now - mayStillBeOpenMs;
    if (left.kind !== "unusable" && isOld) rmSync(folder, { recursive: true, force: true });
  }
  return found;
}

/** The draft with the text to be offered; null where there is none, or another text waits in it. */
function withText(
  draft: SavedDraft | null,
  edited: string,
  { field, before }: Pick<EditedText, "field" | "before">,
): SavedDraft | null {
  if (draft === null) return null;
  const { editedField: _, ...rest } = draft;
  if (draft.edited !== undefined && draft.edited !== before) return null;
  return { ...rest, edited, ...(field === null ? {} : { editedField: field }) };
}

function leftoverWords(found: readonly Leftover[]): string {
  const words = found.map((one) =>
    one.kind === "draft"
      ? `Text from an interrupted editor is saved with the draft for ${placeOf(one.draft)}`
      : `Text from an interrupted editor is stored in ${one.path}`,
  );
  const [first = "", ...more] = words;
  return more.length === 0 ? first : `${first}; and ${plural(more.length, "other text")}`;
}

function placeOf({ supplier, account }: SavedDraft): string {
  return account === null ? supplier : `${supplier}/${account}`;
}
