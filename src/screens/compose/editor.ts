/**
 * Edits the payload of a form, or the text of a field, in the user's editor. A payload with issues is
 * not taken into the form. Its text is saved beside the form until the user decides.
 */
import { rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { errorMessage } from "../../api/errors.ts";
import { textAt } from "../../forms/form-values.ts";
import { parseJson } from "../../forms/parse-json.ts";
import { accountPlaceholder, placeholderIssues } from "../../forms/placeholders.ts";
import type { Issue } from "../../forms/rules.ts";
import { validateBody } from "../../forms/validate.ts";
import { toValues, valuesJsonText } from "../../forms/values-json.ts";
import type { Path } from "../../json/exact.ts";
import type { App } from "../../session/app.ts";
import type { OpenDraft } from "../../session/draft.ts";
import { editorCommand, type ProgramExit, runProgram } from "../../session/external-program.ts";
import { editorFiles, openEditing, readEdited } from "../../state/drafts.ts";
import { localZone } from "../../text/dates.ts";

export interface PendingText {
  readonly text: string;
  /** The field that the text belongs to, or null if it is the whole payload as JSON. */
  readonly field: Path | null;
  /** The reason why the form did not take the text, or null if the reason is its issues. */
  readonly why: string | null;
  readonly issues: readonly Issue[];
  /** True if the form can represent the text, so that the user can fix it there. */
  readonly fits: boolean;
}

interface Editing {
  readonly app: App;
  readonly draft: OpenDraft;
  readonly pending: PendingText | null;
  readonly setPending: (pending: PendingText | null) => void;
  readonly setFiles: (paths: readonly string[]) => void;
}

export function editPayload(editing: Editing): void | Promise<void> {
  const { draft } = editing;
  const { saved, typed, typedAt } = draft.state.get();
  // The text beside the form is newer than the form, so the user decides about that text first.
  if (saved.edited !== undefined) {
    askAbout(editing, { text: saved.edited, field: saved.editedField ?? null, why: null });
    return;
  }
  const dates = { now: typedAt, timeZone: localZone() };
  return edit(editing, valuesJsonText(draft.form, typed.values, dates), null);
}

export function editText(editing: Editing, path: Path): Promise<void> {
  return edit(editing, textAt(editing.draft.state.get().typed.values, path), path);
}

export async function decide(
  editing: Editing,
  { text, field }: PendingText,
  decision: "again" | "take" | "drop",
): Promise<void> {
  const { draft } = editing;
  if (decision === "again") {
    await edit(editing, text, field);
    return;
  }
  if (decision === "take") {
    const { values } = field === null ? checkText(draft, text) : { values: null };
    if (field !== null) setField(draft, field, text);
    else if (values !== null) draft.apply({ type: "replace", values });
  }
  clearPending(editing);
}

/** Opens a text in the editor, and takes or saves the result. `field` is null for the payload. */
async function edit(editing: Editing, text: string, field: Path | null): Promise<void> {
  const { app, draft, setFiles } = editing;
  const { id } = draft.state.get().saved;
  const extension = field === null ? "json" : "txt";
  handleEdited(editing, await openInEditor(app, { draft: id, text, extension }), field);
  setFiles(editorFiles(app.formDrafts.folder, id));
}

function handleEdited(editing: Editing, edited: Edited, field: Path | null): void {
  const { app, draft, pending, setPending } = editing;
  const { notices } = app;
  switch (edited.kind) {
    case "edited":
      if (field === null) takePayload(editing, edited.text);
      else {
        setField(draft, field, edited.text);
        if (pending !== null) draft.saveEdited(null);
        setPending(null);
      }
      break;
    case "rescued":
      if (pending === null && draft.state.get().saved.edited !== undefined) {
        // Another text is already waiting, so this text stays in its file.
        notices.show(`${edited.words}. The text is stored in ${edited.file}`, "bad");
        return;
      }
      askAbout(editing, { text: edited.text, field, why: edited.words });
      break;
    case "unchanged":
      if (pending === null) notices.show(edited.words);
      return;
    case "failed":
      notices.show(edited.words, "bad");
      return;
  }
  // A text that could not be saved stays in its file.
  if (draft.save()) edited.release();
}

function takePayload(editing: Editing, text: string): void {
  const { app, draft } = editing;
  const { issues, values } = checkText(draft, text);
  if (issues.length > 0 || values === null) {
    askAbout(editing, { text, field: null, why: null });
    return;
  }
  draft.apply({ type: "replace", values });
  clearPending(editing);
  app.notices.show("The text from the editor is in the form.", "ok");
}

function askAbout(
  { draft, setPending }: Editing,
  { text, field, why }: Pick<PendingText, "text" | "field" | "why">,
): void {
  // The text is saved before the question, because a hang-up or Esc leaves the question without
  // an answer.
  draft.saveEdited(text, field);
  // The text of a field is not checked here, because the form checks it.
  const { issues, fits } = field === null ? checkText(draft, text) : { issues: [], fits: true };
  setPending({ text, field, why, issues, fits });
}

function clearPending({ draft, setPending }: Editing): void {
  draft.saveEdited(null);
  setPending(null);
}

function setField(draft: OpenDraft, path: Path, text: string): void {
  // Editors end a file with a line break that the user did not type.
  draft.apply({ type: "set", path, text: text.replace(/\r?\n$/, "") });
}

/** The result of editing a text. `release` removes the file, after the text is saved elsewhere. */
type Edited =
  | { readonly kind: "edited"; readonly text: string; readonly release: () => void }
  /** The editor saved the text and then failed. The user decides about the text. */
  | {
      readonly kind: "rescued";
      readonly text: string;
      readonly words: string;
      readonly file: string;
      readonly release: () => void;
    }
  | { readonly kind: "unchanged"; readonly words: string }
  /** The editor returned no usable text. The words have the reason and the location of the file. */
  | { readonly kind: "failed"; readonly words: string };

/** An editor that ends within this time, in milliseconds, cannot have been used by a person. */
const atOnceMs = 500;

/**
 * Opens a text in $VISUAL or $EDITOR and resolves when the editor ends. Never rejects. The file
 * of the text stays beside the draft until the caller releases it. An unusable file stays as long as
 * the draft.
 */
async function openInEditor(
  { env, formDrafts, end, borrowTerminal, clock }: App,
  input: { readonly draft: string; readonly text: string; readonly extension: "json" | "txt" },
): Promise<Edited> {
  try {
    const file = openEditing(formDrafts.folder, input);
    const command = editorCommand(env);
    const started = clock.elapsed();
    let exit: ProgramExit = { kind: "exited" };
    await borrowTerminal(async () => {
      const remedy = "set VISUAL or EDITOR";
      exit = await runProgram(command, [file], { env, signal: end, remedy });
    });
    const endedAtOnce = clock.elapsed() - started < atOnceMs;
    return editedOf(exit, { file, before: input.text, command, endedAtOnce });
  } catch (error) {
    const why = errorMessage(error);
    return { kind: "failed", words: `The text could not be opened in an editor: ${why}` };
  }
}

function editedOf(
  exit: ProgramExit,
  run: {
    readonly file: string;
    readonly before: string;
    readonly command: string;
    readonly endedAtOnce: boolean;
  },
): Edited {
  const { file, before } = run;
  const failed = exit.kind === "failed" ? `${exit.words}. ` : "";
  const release = () => rmSync(dirname(file), { recursive: true, force: true });
  const content = readEdited(file);
  switch (content.kind) {
    case "text": {
      const { text } = content;
      if (text !== before) {
        return exit.kind === "failed"
          ? { kind: "rescued", text, words: exit.words, file, release }
          : { kind: "edited", text, release };
      }
      // The text might still be open in a separate window, which can save it later.
      if (run.endedAtOnce && exit.kind === "exited")
        return { kind: "unchanged", words: atOnceWords(run.command) };
      release();
      return exit.kind === "failed" ? exit : { kind: "unchanged", words: "Nothing was changed." };
    }
    case "undecodable":
      return {
        kind: "failed",
        words: `${failed}The editor saved text that is not UTF-8, in ${file}`,
      };
    case "missing":
      release();
      return { kind: "failed", words: `${failed}The editor deleted the file.` };
    case "unusable":
      return {
        kind: "failed",
        words: `${failed}The editor replaced its file with ${content.description}: ${file}`,
      };
  }
}

function atOnceWords(command: string): string {
  const [program = command] = command.split(/\s/);
  return `Unchanged: ${basename(program)} returned at once; a window needs its wait flag (--wait)`;
}

function checkText({ form, state }: OpenDraft, text: string) {
  const { saved } = state.get();
  const { account } = saved;
  const isForAccounts = form.envelope === null;
  // The target of a form that is filled from an entry can be corrected in the text, too.
  const addressee =
    saved.fromEntry === undefined
      ? {
          importSupplier: saved.supplier,
          ...(isForAccounts ? { externalAccountNumber: account ?? accountPlaceholder } : {}),
        }
      : {};
  const parsed = parseJson(form, text, addressee);
  if (!parsed.ok) return { issues: parsed.issues, fits: false, values: null };
  const checked = validateBody(form, parsed.body);
  const { values, unfit } = toValues(form, parsed.body);
  const isForSeveral = isForAccounts && account === null;
  const issues = [
    ...parsed.issues,
    ...(checked.ok ? [] : checked.issues.map(parsed.locate)),
    ...(isForSeveral ? placeholderIssues(form, values).map(parsed.locate) : []),
  ];
  const fits = unfit.length === 0 && parsed.issues.length === 0;
  const ordered = issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { issues: ordered, fits, values: fits ? values : null };
}
