import { useCallback, useState } from "react";
import { textAt } from "../../forms/draft.ts";
import type { Form, Path } from "../../forms/fields.ts";
import type { Issue } from "../../forms/issue.ts";
import { parseJson } from "../../forms/parse-json.ts";
import { placeholderIssues } from "../../forms/placeholders.ts";
import { toDraft } from "../../forms/to-draft.ts";
import { draftJsonText } from "../../forms/to-json-text.ts";
import { validateBody } from "../../forms/validate.ts";
import type { Composition } from "../../hooks/composition.ts";
import { useEditor } from "../../hooks/editor.ts";
import { givenOf, isForSeveral } from "../../hooks/kept-draft.ts";
import { useNotices } from "../../hooks/notices.tsx";
import type { Draft } from "../../settings/draft.ts";
import { localZone } from "./zone.ts";

/** What came back from the editor and is not right. */
export interface Returned {
  readonly text: string;
  /** In the order of the text. */
  readonly issues: readonly Issue[];
  /** Whether the form can hold it, so that it can be mended there. */
  readonly fits: boolean;
}

/** What is to become of it; `aside` leaves it with the draft until the payload is edited again. */
export type Answer = "again" | "take" | "keep" | "aside";

export interface PayloadEditor {
  readonly returned: Returned | null;
  editPayload(): void;
  /** One text of several lines, as plain text. */
  editText(path: Path): void;
  answer(answer: Answer): void;
}

/** The user's editor on a payload as JSON; what comes back is checked before the form takes it. */
export function usePayloadEditor(options: {
  readonly form: Form;
  readonly draft: Draft;
  readonly composition: Composition;
}): PayloadEditor {
  const { form, draft, composition } = options;
  const open = useEditor();
  const notices = useNotices();
  const [returned, setReturned] = useState<Returned | null>(null);

  const take = useCallback(
    (text: string): void => {
      const { values, ...found } = readReturned(form, draft, text);
      if (found.issues.length === 0 && values !== null) {
        composition.apply({ type: "replace", values });
        composition.putBy(null);
        setReturned(null);
        notices.show("The form holds what you wrote.", "ok");
        return;
      }
      // With the draft at once: a hang-up, or Esc out of the form, gives no answer to what is asked now.
      composition.putBy(text);
      setReturned({ text, ...found });
    },
    [form, draft, composition, notices],
  );
  const edit = async (text: string) => {
    const edited = await open(text, "json");
    if (edited.kind === "edited") take(edited.text);
    else if (edited.kind === "failed") notices.show(edited.words, "bad");
    else if (returned === null) notices.show("Nothing was changed.");
  };
  return {
    returned,
    editPayload() {
      const { typed, typedAt, edited } = composition.state.get();
      // What was put by comes first: it is what was written last.
      if (edited !== null) {
        const { values: _, ...found } = readReturned(form, draft, edited);
        setReturned({ text: edited, ...found });
        return;
      }
      void edit(draftJsonText(form, typed.values, { now: typedAt, timeZone: localZone() }));
    },
    async editText(path) {
      const edited = await open(textAt(composition.state.get().typed.values, path), "txt");
      if (edited.kind === "failed") notices.show(edited.words, "bad");
      if (edited.kind !== "edited") return;
      // Editors end a file with a line break that nobody typed.
      composition.apply({ type: "set", path, text: edited.text.replace(/\r?\n$/, "") });
    },
    answer(answer) {
      if (returned === null) return;
      if (answer === "aside") {
        setReturned(null);
        return;
      }
      if (answer === "again") {
        void edit(returned.text);
        return;
      }
      const { values } = readReturned(form, draft, returned.text);
      if (answer === "take" && values !== null) composition.apply({ type: "replace", values });
      composition.putBy(null);
      setReturned(null);
    },
  };
}

function readReturned(form: Form, draft: Draft, text: string) {
  const given = givenOf(form, draft);
  const parsed = parseJson(form, text, {
    importSupplier: draft.supplier,
    ...(typeof given.external_account_number === "string"
      ? { externalAccountNumber: given.external_account_number }
      : {}),
  });
  if (!parsed.ok) return { issues: parsed.issues, fits: false, values: null };
  const checked = validateBody(form, parsed.body);
  const { values, unfit } = toDraft(form, parsed.body);
  const issues = [
    ...parsed.issues,
    ...(checked.ok ? [] : checked.issues.map(parsed.locate)),
    ...(isForSeveral(form, draft) ? placeholderIssues(form, values).map(parsed.locate) : []),
  ];
  const fits = unfit.length === 0 && parsed.issues.length === 0;
  const ordered = issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { issues: ordered, fits, values: fits ? values : null };
}
