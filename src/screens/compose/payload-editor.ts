/** Connects a form to the user's editor: opens it, checks the text and applies it. */
import { useState } from "react";
import { errorLine } from "../../errors/error-words.ts";
import type { Form } from "../../forms/fields.ts";
import { textAt } from "../../forms/form-values.ts";
import type { Issue } from "../../forms/rules.ts";
import { valuesJsonText } from "../../forms/values-json.ts";
import { useApp } from "../../hooks/app.tsx";
import type { Path } from "../../json/exact.ts";
import type { Composition } from "../../session/composition.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { editorFiles } from "../../state/editing.ts";
import { localZone } from "../../text/dates.ts";
import type { EditorVisit } from "./editor.ts";

/** A text from the editor that the form did not take. */
export interface EditorResult {
  readonly text: string;
  /** The field that the text belongs to, or null if it is the whole payload as JSON. */
  readonly field: Path | null;
  /** The reason why the form did not take the text, or null if the reason is its issues. */
  readonly why: string | null;
  /** The issues in the order of their lines in the text. */
  readonly issues: readonly Issue[];
  /** True if the form can represent the text, so that the user can fix it there. */
  readonly fits: boolean;
}

/**
 * The user's decision about the text. `aside` leaves it with the draft until the payload is edited
 * again.
 */
export type Answer = "again" | "take" | "keep" | "aside";

type Editor = typeof import("./editor.ts");

/**
 * Opens the user's editor for a payload as JSON or for one text. The form takes a payload only
 * after a check.
 */
export function usePayloadEditor(options: {
  readonly form: Form;
  readonly draft: SavedDraft;
  readonly composition: Composition;
}) {
  const { form, draft, composition } = options;
  const app = useApp();
  const { notices } = app;
  const { folder } = app.formDrafts;
  const [returned, setReturned] = useState<EditorResult | null>(null);
  const [stored, setStored] = useState(() => editorFiles(folder, draft.id));

  /** Loads the code of the editor, which only this key needs, and calls `work` with it. */
  const withEditor = (work: (editor: Editor) => void | Promise<void>) => {
    import("./editor.ts").then(work).catch((error: unknown) => {
      notices.show(errorLine(error, { doing: "opening the editor" }), "bad");
    });
  };
  const settle = () => {
    composition.saveEdited(null);
    setReturned(null);
  };
  /** Shows a text beside the form, because a failed editor might have saved only half of it. */
  const offer = (editor: Editor, text: string, field: Path | null, why: string | null) => {
    // The text is saved before the question, because a hang-up or Esc leaves the question without
    // an answer.
    composition.saveEdited(text, field);
    // The text of a field is not checked here, because the form checks it.
    const { issues, fits } =
      field === null ? editor.readReturned(form, draft, text) : { issues: [], fits: true };
    setReturned({ text, field, why, issues, fits });
  };
  const take = (editor: Editor, text: string) => {
    const { issues, values } = editor.readReturned(form, draft, text);
    if (issues.length > 0 || values === null) {
      offer(editor, text, null, null);
      return;
    }
    composition.apply({ type: "replace", values });
    settle();
    notices.show("The form holds what you wrote.", "ok");
  };
  const setField = (path: Path, text: string) => {
    // Editors end a file with a line break that the user did not type.
    composition.apply({ type: "set", path, text: text.replace(/\r?\n$/, "") });
  };
  const edit = (text: string, field: Path | null) =>
    withEditor(async (editor) => {
      const extension = field === null ? "json" : "txt";
      const visit = await editor.openInEditor(app, { draft: draft.id, text, extension });
      accept(editor, visit, field);
      setStored(editorFiles(folder, draft.id));
    });
  const accept = (editor: Editor, { edited, release }: EditorVisit, field: Path | null) => {
    switch (edited.kind) {
      case "edited":
        if (field === null) take(editor, edited.text);
        else {
          setField(field, edited.text);
          if (returned !== null) composition.saveEdited(null);
          setReturned(null);
        }
        break;
      case "rescued":
        if (returned === null && composition.state.get().edited !== null) {
          // Another text is already waiting, so this text stays in its file.
          notices.show(`${edited.words}. What you wrote is stored in ${edited.file}`, "bad");
          return;
        }
        offer(editor, edited.text, field, edited.words);
        break;
      case "unchanged":
        if (returned === null) notices.show(edited.words);
        return;
      case "failed":
        notices.show(edited.words, "bad");
        return;
    }
    // A text that could not be saved stays in its file.
    if (composition.save()) release();
  };
  const takeAnyway = (editor: Editor, { text, field }: EditorResult) => {
    if (field !== null) {
      setField(field, text);
      return;
    }
    const { values } = editor.readReturned(form, draft, text);
    if (values !== null) composition.apply({ type: "replace", values });
  };
  return {
    /** The text that waits for the user's decision, or null if there is none. */
    returned,
    /** The paths of the texts that editors left for this draft and that the form did not take. */
    stored,
    editPayload() {
      const { typed, typedAt, edited, editedField } = composition.state.get();
      // The text beside the form is newer than the form, so it is offered first.
      if (edited !== null) withEditor((editor) => offer(editor, edited, editedField, null));
      else {
        const dates = { now: typedAt, timeZone: localZone() };
        edit(valuesJsonText(form, typed.values, dates), null);
      }
    },
    /** Opens the editor for one text of several lines. */
    editText(path: Path) {
      edit(textAt(composition.state.get().typed.values, path), path);
    },
    answer(answer: Answer) {
      if (returned === null) return;
      if (answer === "aside") setReturned(null);
      else if (answer === "again") edit(returned.text, returned.field);
      else if (answer === "keep") settle();
      else
        withEditor((editor) => {
          takeAnyway(editor, returned);
          settle();
        });
    },
  };
}
