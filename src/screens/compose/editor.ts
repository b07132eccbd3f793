/** Opens a payload or a text in the user's editor, and checks the returned text. */
import { rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { errorMessage } from "../../api/errors.ts";
import type { Form } from "../../forms/fields.ts";
import { parseJson } from "../../forms/parse-json.ts";
import { placeholderIssues } from "../../forms/placeholders.ts";
import { validateBody } from "../../forms/validate.ts";
import { toValues } from "../../forms/values-json.ts";
import type { App } from "../../session/app.ts";
import { isForSeveral, targetFields } from "../../session/draft-form.ts";
import { editorCommand, type ProgramExit, runProgram } from "../../session/external-program.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { openEditing, readEdited } from "../../state/editing.ts";

/** The text to edit, and its draft. */
export interface EditorInput {
  readonly draft: string;
  readonly text: string;
  readonly extension: "json" | "txt";
}

/** The result of editing a text in the user's editor. */
export type Edited =
  | { readonly kind: "edited"; readonly text: string }
  /** The editor saved the text and then failed. The user decides about the text. */
  | {
      readonly kind: "rescued";
      readonly text: string;
      readonly words: string;
      readonly file: string;
    }
  | { readonly kind: "unchanged"; readonly words: string }
  /** The editor returned no usable text. The words have the reason and the location of the file. */
  | { readonly kind: "failed"; readonly words: string };

/** The edited text, and a function that removes its file once the text is saved elsewhere. */
export interface EditorVisit {
  readonly edited: Edited;
  release(): void;
}

/** The minimum time, in milliseconds, that a person needs to read a text and leave the editor. */
const atOnceMs = 500;

/**
 * Opens a text in $VISUAL or $EDITOR and resolves when the editor ends. It never rejects. The file
 * stays beside the draft until the caller has saved the text. An unusable file stays as long as the
 * draft.
 */
export async function openInEditor(
  { env, formDrafts, end, borrowTerminal, clock }: App,
  what: EditorInput,
): Promise<EditorVisit> {
  let file: string | null = null;
  try {
    file = openEditing(formDrafts.folder, what);
    const command = editorCommand(env);
    const started = clock.now();
    let exit: ProgramExit = { kind: "left" };
    const opened = file;
    const edit = async () => {
      const remedy = "set VISUAL or EDITOR";
      exit = await runProgram(command, [opened], { env, signal: end, remedy });
    };
    await borrowTerminal(edit);
    const wasAtOnce = clock.now() - started < atOnceMs;
    return visitOf(exit, { file, before: what.text, command, wasAtOnce });
  } catch (error) {
    const words = errorMessage(error);
    const why = `The text could not be opened in an editor: ${words}`;
    return { edited: { kind: "failed", words: why }, release: () => {} };
  }
}

interface Left {
  readonly file: string;
  readonly before: string;
  readonly command: string;
  readonly wasAtOnce: boolean;
}

function visitOf(exit: ProgramExit, left: Left): EditorVisit {
  const { file, before, command } = left;
  const failed = exit.kind === "failed" ? `${exit.words}. ` : "";
  const release = () => rmSync(dirname(file), { recursive: true, force: true });
  const stays = () => {};
  const found = readEdited(file);
  switch (found.kind) {
    case "text": {
      const { text } = found;
      if (exit.kind === "failed") {
        if (text !== before)
          return { edited: { kind: "rescued", text, words: exit.words, file }, release };
        release();
        return { edited: exit, release };
      }
      if (text !== before) return { edited: { kind: "edited", text }, release };
      // The text might still be open in a separate window, which can save it later.
      if (left.wasAtOnce && exit.kind === "left")
        return { edited: unchanged(atOnceWords(command)), release: stays };
      release();
      return { edited: unchanged("Nothing was changed."), release };
    }
    case "undecodable": {
      const words = `${failed}The editor saved text that is not UTF-8, in ${file}`;
      return { edited: { kind: "failed", words }, release: stays };
    }
    case "missing":
      release();
      return {
        edited: { kind: "failed", words: `${failed}The editor deleted the file.` },
        release,
      };
    case "unusable": {
      const words = `${failed}The editor replaced its file with ${found.what}: ${file}`;
      return { edited: { kind: "failed", words }, release: stays };
    }
  }
}

function unchanged(words: string): Edited {
  return { kind: "unchanged", words };
}

function atOnceWords(command: string): string {
  const [program = command] = command.split(/\s/);
  return `Unchanged: ${basename(program)} returned at once; a window needs its wait flag (--wait)`;
}

/** Checks a text from the editor. `values` is null if the form cannot represent it. */
export function readReturned(form: Form, draft: SavedDraft, text: string) {
  const given = targetFields(form, draft);
  const parsed = parseJson(form, text, {
    importSupplier: draft.supplier,
    ...(typeof given.external_account_number === "string"
      ? { externalAccountNumber: given.external_account_number }
      : {}),
  });
  if (!parsed.ok) return { issues: parsed.issues, fits: false, values: null };
  const checked = validateBody(form, parsed.body);
  const { values, unfit } = toValues(form, parsed.body);
  const issues = [
    ...parsed.issues,
    ...(checked.ok ? [] : checked.issues.map(parsed.locate)),
    ...(isForSeveral(form, draft) ? placeholderIssues(form, values).map(parsed.locate) : []),
  ];
  const fits = unfit.length === 0 && parsed.issues.length === 0;
  const ordered = issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { issues: ordered, fits, values: fits ? values : null };
}
