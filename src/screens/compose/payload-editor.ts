import { useCallback, useState } from "react";
import type { Form } from "../../forms/fields.ts";
import { textAt } from "../../forms/form-values.ts";
import { valuesJsonText } from "../../forms/from-values.ts";
import type { Issue } from "../../forms/issue.ts";
import { parseJson } from "../../forms/parse-json.ts";
import { placeholderIssues } from "../../forms/placeholders.ts";
import { toValues } from "../../forms/to-values.ts";
import { validateBody } from "../../forms/validate.ts";
import { useApp } from "../../hooks/app.tsx";
import type { Path } from "../../json/exact.ts";
import type { Composition } from "../../session/composition.ts";
import { isForSeveral, targetFields } from "../../session/draft-form.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { editorFiles } from "../../state/editing.ts";
import { localZone } from "../../text/dates.ts";
import { type Edited, openInEditor } from "./editor.ts";

/** A text from the editor that is not in the form. */
export interface EditorResult {
  readonly text: string;
  /** The field that the text belongs to, or null if it is the whole payload as JSON. */
  readonly field: Path | null;
  /** The reason why the form did not take the text at once, or null if the reason is its issues. */
  readonly why: string | null;
  /** The issues in the order of the text. */
  readonly issues: readonly Issue[];
  /** True if the form can represent the text, so that it can be fixed there. */
  readonly fits: boolean;
}

/**
 * The user's decision about the text. `aside` leaves it with the draft until the payload is edited
 * again.
 */
export type Answer = "again" | "take" | "keep" | "aside";

export interface PayloadEditor {
  readonly returned: EditorResult | null;
  /** The paths of texts that editors left for this draft and the form did not take. */
  readonly stored: readonly string[];
  editPayload(): void;
  /** Edits one text of several lines as plain text. */
  editText(path: Path): void;
  answer(answer: Answer): void;
}

/** Opens the user's editor on a payload as JSON. The text is checked before the form takes it. */
export function usePayloadEditor(options: {
  readonly form: Form;
  readonly draft: SavedDraft;
  readonly composition: Composition;
}): PayloadEditor {
  const { form, draft, composition } = options;
  const app = useApp();
  const { notices } = app;
  const { folder } = app.formDrafts;
  const [returned, setReturned] = useState<EditorResult | null>(null);
  const [stored, setStored] = useState(() => editorFiles(folder, draft.id));

  const take = useCallback(
    (text: string): void => {
      const { values, ...found } = readReturned(form, draft, text);
      if (found.issues.length === 0 && values !== null) {
        composition.apply({ type: "replace", values });
        composition.saveEdited(null);
        setReturned(null);
        notices.show("The form holds what you wrote.", "ok");
        return;
      }
      // With the draft at once: a hang-up, or Esc out of the form, gives no answer to what is asked now.
      composition.saveEdited(text);
      setReturned({ text, field: null, why: null, ...found });
    },
    [form, draft, composition, notices],
  );
  /** Offers a text beside the form: a failed editor might have saved only half of it. */
  const offer = (text: string, field: Path | null, why: string | null) => {
    composition.saveEdited(text, field);
    const found = field === null ? readReturned(form, draft, text) : wholeText;
    setReturned({ text, field, why, issues: found.issues, fits: found.fits });
  };
  const setField = (path: Path, text: string) => {
    // Editors end a file with a line break that the user did not type.
    composition.apply({ type: "set", path, text: text.replace(/\r?\n$/, "") });
  };
  const edit = async (text: string, field: Path | null) => {
    const extension = field === null ? "json" : "txt";
    const { edited, release } = await openInEditor(app, { draft: draft.id, text, extension });
    accept(edited, field, release);
    setStored(editorFiles(folder, draft.id));
  };
  const accept = (edited: Edited, field: Path | null, release: () => void) => {
    switch (edited.kind) {
      case "edited":
        if (field === null) take(edited.text);
        else {
          setField(field, edited.text);
          if (returned !== null) composition.saveEdited(null);
          setReturned(null);
        }
        break;
      case "rescued":
        if (returned === null && composition.state.get().edited !== null) {
          // One text waits already: this one stays in its file.
          notices.show(`${edited.words}. What you wrote is stored in ${edited.file}`, "bad");
          return;
        }
        offer(edited.text, field, edited.words);
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
  const takeAnyway = ({ text, field }: EditorResult) => {
    if (field !== null) {
      setField(field, text);
      return;
    }
    const { values } = readReturned(form, draft, text);
    if (values !== null) composition.apply({ type: "replace", values });
  };
  return {
    returned,
    stored,
    editPayload() {
      const { typed, typedAt, edited, editedField } = composition.state.get();
      // The text saved beside the form comes first: it was written last.
      if (edited !== null) {
        offer(edited, editedField, null);
        return;
      }
      void edit(valuesJsonText(form, typed.values, { now: typedAt, timeZone: localZone() }), null);
    },
    editText(path) {
      void edit(textAt(composition.state.get().typed.values, path), path);
    },
    answer(answer) {
      if (returned === null) return;
      if (answer === "aside") {
        setReturned(null);
        return;
      }
      if (answer === "again") {
        void edit(returned.text, returned.field);
        return;
      }
      if (answer === "take") takeAnyway(returned);
      composition.saveEdited(null);
      setReturned(null);
    },
  };
}

/** The text of a field is not checked here, because the form checks it. */
const wholeText = { issues: [], fits: true };

function readReturned(form: Form, draft: SavedDraft, text: string) {
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
