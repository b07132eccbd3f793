import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from "react";
import { errorMessage } from "../../api/errors.ts";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { drawLines, type FormIssue, issueLines } from "../../components/form/form-layout.ts";
import { FormView, helpRows } from "../../components/form/form-view.tsx";
import { lineId, linesOf } from "../../components/form/lines.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { errorLine } from "../../errors/error-words.ts";
import type { Form } from "../../forms/fields.ts";
import { forms, isFormKind } from "../../forms/forms.ts";
import { filledExample, type PlaceholderValues } from "../../forms/placeholders.ts";
import { validateForSeveral, validateValues } from "../../forms/validate.ts";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { useSnapshot, useStore } from "../../hooks/context.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useActive, useRoom } from "../../hooks/window.tsx";
import type { Path } from "../../json/exact.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { markedIn } from "../../session/compose-actions.ts";
import { type DraftState, fixedFields, type OpenDraft, openDraft } from "../../session/draft.ts";
import type { AccountTab, MarkedList, Place } from "../../session/places.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { editorFiles } from "../../state/drafts.ts";
import { localZone } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import { wrap } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import type { PendingText } from "./editor.ts";
import { reveal, startLineId, useFormCursor } from "./form-cursor.ts";
import { noTextWords, rowKeys, useFormKeys } from "./form-keys.ts";
import { PendingTextView } from "./pending-text-view.tsx";

/** Shows the form of a saved draft (INTERFACE 4.1–4.6). */
export function FormScreen({ draft }: { readonly draft: string }) {
  const opened = useOpenDraft(draft);
  return opened === null ? <MissingDraft /> : <DraftForm draft={opened} several={null} />;
}

FormScreen.help = {
  name: "Form",
  about: [
    "A form with every documented field. Every change is saved: Esc, a lost link or a closed terminal loses nothing.",
    "In a field with known values, Space takes the next one until you type; Tab takes the one that you began.",
    "Review, at the end, shows the exact request. A form never sends anything.",
  ],
  words: ["account-state", "outcome"],
} as const;

/** Shows the form of a note or of transactions for all marked accounts of a list (INTERFACE 4.1, 4.2). */
export function MarkedFormScreen(props: MarkedFormProps) {
  return props.list === "compared" ? (
    <ComparedForm {...props} />
  ) : (
    <ListedForm {...props} list={props.list} />
  );
}

MarkedFormScreen.help = {
  name: "Form for marked accounts",
  about: [
    "One form for all marked accounts. {external_account_number} and {import_supplier} are replaced with each account's values.",
    "Review checks every account before the first request is sent.",
  ],
  words: ["account-state", "outcome"],
} as const;

interface MarkedFormProps {
  readonly draft: string;
  readonly supplier: string;
  readonly list: MarkedList;
}

function ListedForm(props: MarkedFormProps & { readonly list: AccountTab }) {
  const store = useSession().list(props.supplier, props.list);
  const { marks } = useSnapshot(store, true);
  return <FormForMarked {...props} marks={marks} first={store.marks.externals(1)[0] ?? null} />;
}

function ComparedForm(props: MarkedFormProps) {
  const marked = markedIn(useSession(), props.supplier, props.list);
  const [first] = marked.each();
  return <FormForMarked {...props} marks={marked.count} first={first?.external ?? null} />;
}

function FormForMarked(
  props: MarkedFormProps & { readonly marks: number; readonly first: string | null },
) {
  const { draft, supplier, list, marks, first } = props;
  const opened = useOpenDraft(draft);
  const several = useMemo((): MarkedTarget => {
    const targets = `${plural(marks, "marked account")} of ${supplier}`;
    const example =
      first === null ? null : { import_supplier: supplier, external_account_number: first };
    return { targets, example, review: { kind: "review-marked", draft, supplier, list } };
  }, [first, marks, draft, supplier, list]);
  return opened === null ? <MissingDraft /> : <DraftForm draft={opened} several={several} />;
}

function useOpenDraft(id: string): OpenDraft | null {
  const { formDrafts: drafts, clock } = useApp();
  const { profile } = useSession();
  return useMemo(() => {
    const draft = drafts.find(id);
    if (draft === null || !isFormKind(draft.kind) || draft.profile !== profile.name) return null;
    return openDraft(forms[draft.kind], draft, { drafts, clock, timeZone: localZone() });
  }, [drafts, clock, id, profile.name]);
}

function MissingDraft() {
  return (
    <Body>
      <Text tone="muted">This draft no longer exists: it was sent or discarded.</Text>
    </Body>
  );
}

interface MarkedTarget {
  readonly targets: string;
  readonly example: PlaceholderValues | null;
  readonly review: Place;
}

function DraftForm(props: { readonly draft: OpenDraft; readonly several: MarkedTarget | null }) {
  const { draft, several } = props;
  const { form } = draft;
  const state = useStore(draft.state);
  const { saved } = state;
  const room = useRoom();
  const focus = useBodyFocus();
  const here = useHere();
  const { formDrafts, notices, key } = here.app;
  const isForSeveral = several !== null;
  const { lines, issues, problems, problemsByLine, typedAt } = useMemo(
    () => inspect(form, state, isForSeveral),
    [form, state, isForSeveral],
  );
  const [pending, setPending] = useState<PendingText | null>(null);
  const [files, setFiles] = useState(() => editorFiles(formDrafts.folder, saved.id));
  const [wasTextIgnored, setWasTextIgnored] = useState(false);

  const notes = fitNotes([...notesOf(state, files, key), ...problemsByLine.above], room.columns);
  const noteRows = notes.reduce((sum, { rows }) => sum + rows, 0);
  const rows = Math.max(6, room.rows - (isForSeveral ? 2 : 1) - noteRows);
  const cursor = useFormCursor({
    draft,
    lines,
    page: rows - 1 - helpRows(rows),
    start: () => startLineId(lines, saved.refusals, draft.isPristine() ? null : issues),
    onLeave: () => setWasTextIgnored(false),
  });
  const goTo = (path: Path) => {
    const line = reveal(draft, path);
    if (line !== null) cursor.moveTo(line);
  };
  useDraftOnScreen(draft, goTo);

  const withEditor = (work: (editor: typeof import("./editor.ts")) => unknown) => {
    import("./editor.ts").then(work).catch((error: unknown) => {
      notices.show(errorLine(error, { doing: "opening the editor" }), "bad");
    });
  };
  const editing = { app: here.app, draft, pending, setPending, setFiles };
  const field = cursor.line?.kind === "leaf" ? cursor.line : null;
  // If a text from the editor waits for a decision, the editor key opens that text, not the field.
  const textField = saved.edited === undefined && field?.leaf.type === "multiline" ? field : null;
  const template = async () => {
    const { chooseTemplate } = await import("./note-templates.ts");
    if (field !== null) chooseTemplate(here, draft, field);
  };
  const keys = useFormKeys({
    draft,
    cursor,
    issues,
    typedAt,
    hasEditorFiles: files.length > 0,
    reviewPlace: several?.review ?? { kind: "review", draft: saved.id },
    isForSeveral,
    goTo,
    problemPaths: problems.map(({ path }) => path),
  });
  const ignoreText = () => setWasTextIgnored(true);
  const takesRowKeys = field === null && cursor.line?.kind !== "review";
  useKeys(
    {
      ...keys,
      ...(saved.kind === "notes" && field?.path.at(-1) === "body" ? { template } : {}),
      editor: {
        run: () =>
          withEditor((editor) =>
            textField === null
              ? editor.editPayload(editing)
              : editor.editText(editing, textField.path),
          ),
        label: textField === null ? "edit as JSON" : "edit text",
      },
    },
    {
      active: focus && pending === null && !state.removed,
      printable: { allowed: takesRowKeys ? rowKeys : [], other: ignoreText },
      onPaste: ignoreText,
    },
  );
  if (state.removed) return <MissingDraft />;
  if (pending !== null) {
    return (
      <PendingTextView
        pending={pending}
        onDecision={(decision) => withEditor((editor) => editor.decide(editing, pending, decision))}
        onClose={() => setPending(null)}
      />
    );
  }
  const drawn = drawLines(lines, {
    columns: room.columns,
    focus: cursor.line?.id ?? null,
    issues: problemsByLine,
    typedAt,
    filled: (leaf, typed) => filledExample(leaf, typed, several?.example ?? null),
  });
  return (
    <Body>
      <Text tone="title">{`${form.title} for ${several?.targets ?? targetOf(saved)}`}</Text>
      {isForSeveral ? (
        <Text tone="muted">{"Filled in: {external_account_number}, {import_supplier}"}</Text>
      ) : null}
      {notes.map((note) => (
        <Paragraph key={note.text} tone={note.tone} most={note.maxRows}>
          {note.text}
        </Paragraph>
      ))}
      <FormView
        lines={drawn}
        rows={rows}
        focus={focus}
        alert={wasTextIgnored && cursor.line !== null ? noTextWords(cursor.line, key) : null}
        onType={(path, typed) => draft.apply({ type: "set", path, text: typed })}
      />
    </Body>
  );
}

/**
 * Returns the lines of a form and its problems. `issues` has the errors that the form found and that
 * prevent sending. `problems` has also the warnings and the refusals of the service.
 */
function inspect(form: Form, state: DraftState, isForSeveral: boolean) {
  const { saved, typed, reportsMissing } = state;
  const { refusals, allowMissing } = saved;
  const typedAt = { now: state.typedAt, timeZone: localZone() };
  const refusedLines = new Set(refusals.map(({ path }) => lineId(path)));
  const lines = linesOf(form, typed, {
    fixed: new Set(Object.keys(fixedFields(form, saved))),
    shown: (path) => refusedLines.has(lineId(path)),
  });
  const validate = isForSeveral ? validateForSeveral : validateValues;
  const checked = validate(form, typed.values, typedAt, { allowMissing });
  const issues = checked.ok ? [] : checked.issues;
  const problems: readonly FormIssue[] = [
    ...refusals.map((refusal) => ({ ...refusal, severity: "error", source: "service" }) as const),
    ...issues.map((issue) => ({ ...issue, severity: "error", source: "form" }) as const),
    ...checked.warnings.map(
      (warning) => ({ ...warning, severity: "warning", source: "form" }) as const,
    ),
  ];
  const problemsByLine = issueLines(form, lines, problems, reportsMissing);
  return { lines, issues, problems, problemsByLine, typedAt };
}

/**
 * Reads the draft again whenever its form is on top, because another screen can change it, and moves
 * to the first refusal. Saves and closes the draft with the form.
 */
function useDraftOnScreen(draft: OpenDraft, goTo: (path: Path) => void): void {
  const { notices } = useApp();
  const active = useActive();
  const { separated } = useStore(draft.state);
  const readAgain = useEffectEvent(() => {
    draft.reload();
    const first = draft.state.get().saved.refusals.find(({ path }) => path.length > 0);
    if (first !== undefined) goTo(first.path);
  });
  const close = useEffectEvent((opened: OpenDraft) => {
    // If the form closes under a review, the review has its own notice.
    if (opened.close() && active) notices.show("Draft saved");
  });
  useEffect(() => {
    if (active) readAgain();
  }, [active]);
  useLayoutEffect(() => () => close(draft), [draft]);
  useEffect(() => {
    if (separated === 0) return;
    notices.show(
      "Another console changed this draft: its version is saved as a separate draft.",
      "waiting",
    );
  }, [separated, notices]);
}

const maxNoteRows = 4;

function notesOf({ saved, saveError }: DraftState, files: readonly string[], key: KeyWords) {
  const { fromEntry, edited } = saved;
  const note = (tone: Tone, text: string) => ({ tone, text });
  const editedWords = `The text from the editor is saved with the draft. ${key("editor")} opens it.`;
  return [
    ...(fromEntry === undefined
      ? []
      : [note("busy", `New draft, filled from entry ${fromEntry}.`)]),
    ...(saveError === null ? [] : [note("bad", `Not saved: ${errorMessage(saveError)}`)]),
    ...(edited === undefined ? [] : [note("waiting", editedWords)]),
    ...files.map((path) => note("waiting", `An editor left a file with this draft: ${path}`)),
  ];
}

function fitNotes(
  notes: readonly { readonly tone: Tone; readonly text: string }[],
  columns: number,
) {
  const shown = notes.slice(0, maxNoteRows);
  return shown.map((note, index) => {
    // The first note can wrap into the lines that the other notes leave free.
    const maxRows = index === 0 ? maxNoteRows - shown.length + 1 : 1;
    return { ...note, maxRows, rows: Math.min(maxRows, wrap(note.text, columns).length) };
  });
}

function targetOf({ supplier, account }: SavedDraft): string {
  return account === null ? supplier : `${supplier}/${account}`;
}
