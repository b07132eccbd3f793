/** The form that composes a payload for one account or for several, with its keys and issues. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { errorMessage } from "../../api/errors.ts";
import { Body, useBodyFocus } from "../../components/body.tsx";
import {
  drawLines,
  type FormIssue,
  issueLines,
  lineFor,
  normalizedValue,
} from "../../components/form/drawn-line.ts";
import { FormView, helpRows } from "../../components/form/form-view.tsx";
import { type FormLine, lineId, linesOf } from "../../components/form/lines.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import type { Form, Leaf } from "../../forms/fields.ts";
import {
  fillText,
  type PlaceholderValues,
  placeholderProblem,
  takesPlaceholders,
} from "../../forms/placeholders.ts";
import { validateForSeveral, validateValues } from "../../forms/validate.ts";
import { useHere } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useActive, useRoom } from "../../hooks/window.tsx";
import type { Path } from "../../json/exact.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Composition } from "../../session/composition.ts";
import { isPristine, targetFields } from "../../session/draft-form.ts";
import type { Place } from "../../session/places.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { localZone } from "../../text/dates.ts";
import { wrap } from "../../text/width.ts";
import { EditedView } from "./edited-view.tsx";
import { useFormActions } from "./form-actions.ts";
import { idAfterRemoval, nextPlace, startOf, unfoldTo, useFormCursor } from "./form-cursor.ts";
import { lineActions, noTextWords, rowKeys } from "./line-actions.ts";
import { usePayloadEditor } from "./payload-editor.ts";

/** The maximum number of lines for notes and issues above the form. */
const maxAbove = 4;

/** The properties of a form for several accounts. */
export interface MultiAccountContext {
  /** The accounts in words, such as `3 marked accounts of ACME`. */
  readonly whom: string;
  /** One of the accounts, which shows the filled-in texts, or null if there is none. */
  readonly example: PlaceholderValues | null;
  /** The place where the form is reviewed. */
  readonly review: Place;
}

/** Shows the form of a payload as its description defines it. Saves every change. */
export function ComposeForm(props: {
  readonly form: Form;
  readonly draft: SavedDraft;
  readonly composition: Composition;
  readonly several?: MultiAccountContext | undefined;
}) {
  const { form, draft, composition, several } = props;
  const state = useStore(composition.state);
  const { typed, refusals, tried, edited } = state;
  const room = useRoom();
  const focus = useBodyFocus();
  const active = useActive();
  const here = useHere();
  const { overlays, notices, key } = here.app;
  const typedAt = useMemo(() => ({ now: state.typedAt, timeZone: localZone() }), [state.typedAt]);

  const refused = useMemo(() => new Set(refusals.map(({ path }) => lineId(path))), [refusals]);
  const fixed = useMemo(() => new Set(Object.keys(targetFields(form, draft))), [form, draft]);
  const lines = useMemo(
    () => linesOf(form, typed, { fixed, shown: (path) => refused.has(lineId(path)) }),
    [form, typed, fixed, refused],
  );
  const checked = useMemo(
    () =>
      several === undefined
        ? validateValues(form, typed.values, typedAt, { allowMissing: state.allowMissing })
        : validateForSeveral(form, typed.values, typedAt, { allowMissing: state.allowMissing }),
    [form, typed.values, typedAt, several, state.allowMissing],
  );
  const issues = checked.ok ? [] : checked.issues;
  const found: readonly FormIssue[] = [
    ...refusals.map((one) => ({ ...one, severity: "error", source: "service" }) as const),
    ...issues.map((one) => ({ ...one, severity: "error", source: "form" }) as const),
    ...checked.warnings.map((one) => ({ ...one, severity: "warning", source: "form" }) as const),
  ];
  const placed = issueLines(form, lines, found, tried);
  const editor = usePayloadEditor({ form, draft, composition });
  /** True if the user typed on a line that takes no text. */
  const [hasLost, setHasLost] = useState(false);

  const leave = useCallback(
    (from: FormLine, to: string): string => {
      setHasLost(false);
      if (from.kind !== "leaf") return to;
      if (from.entry && from.text.trim() === "") {
        composition.apply({ type: "remove-row", path: from.path });
        return idAfterRemoval(lines, from, to);
      }
      const exact = normalizedValue(from.leaf, from.text, {
        now: state.typedAt,
        timeZone: localZone(),
      });
      // The text becomes exact here, so that a relative date does not change with the age of the
      // draft.
      if (exact !== null) composition.apply({ type: "set", path: from.path, text: exact });
      return to;
    },
    [composition, lines, state.typedAt],
  );
  const above = [
    ...(draft.fromEntry === undefined
      ? []
      : [{ tone: "busy" as const, text: `New draft, filled from entry ${draft.fromEntry}.` }]),
    ...(state.saveError === null ? [] : [{ tone: "bad" as const, text: wordsOf(state.saveError) }]),
    ...(edited === null ? [] : [{ tone: "waiting" as const, text: putByWords(key) }]),
    ...editor.stored.map((path) => ({ tone: "waiting" as const, text: storedWords(path) })),
    ...placed.above,
  ];
  const shownAbove = above.slice(0, maxAbove);
  // The first note can wrap into the lines that the other notes leave free.
  const maxRowsOf = (at: number) => (at === 0 ? maxAbove - shownAbove.length + 1 : 1);
  const aboveRows = shownAbove.reduce(
    (sum, { text }, at) => sum + Math.min(maxRowsOf(at), wrap(text, room.columns).length),
    0,
  );
  const explained = several === undefined ? 0 : 1;
  const rows = Math.max(6, room.rows - 1 - explained - aboveRows);
  const start = () =>
    startOf(lines, { refusals, issues, pristine: isPristine(form, draft, state) });
  const cursor = useFormCursor({ lines, page: rows - 1 - helpRows(rows), leave, start });

  const reveal = useRef((path: Path) => {
    unfoldTo(form, composition, path);
    const now = linesOf(form, composition.state.get().typed, {
      fixed,
      shown: (place) => lineId(place) === lineId(path),
    });
    return lineFor(now, path)?.id ?? null;
  });
  // Another screen can change the saved draft, so it is read again when this screen is back on top.
  const moveTo = useRef(cursor.moveTo);
  moveTo.current = cursor.moveTo;
  useEffect(() => {
    if (!active) return;
    composition.reload();
    const first = composition.state.get().refusals.find(({ path }) => path.length > 0);
    const line = first && reveal.current(first.path);
    if (line) moveTo.current(line);
  }, [active, composition]);
  const isOnTop = useRef(active);
  isOnTop.current = active;
  useLayoutEffect(
    () => () => {
      // If the form closes under a review, the review has its own notice.
      if (composition.close() && isOnTop.current) notices.show("Draft saved");
    },
    [composition, notices],
  );
  useEffect(() => {
    if (state.separated === 0) return;
    notices.show(
      "Another console changed this draft: its version is saved as a separate draft.",
      "waiting",
    );
  }, [state.separated, notices]);

  const goTo = (path: Path) => {
    const line = reveal.current(path);
    if (line) cursor.moveTo(line);
  };
  const acts = useFormActions({
    form,
    draft,
    composition,
    typedAt,
    issues,
    editorFiles: editor.stored,
    reviewPlace: several?.review ?? { kind: "review", draft: draft.id },
    hasCommand: several === undefined,
    goTo,
    nextPlace: () =>
      nextPlace(
        lines,
        found.map(({ path }) => path),
        cursor.position,
      ),
  });
  // A text from the editor that waits for a decision is more important than the text of a field.
  const onField =
    edited === null && cursor.line?.kind === "leaf" && cursor.line.leaf.type === "multiline";
  const edit = () => {
    if (onField && cursor.line?.kind === "leaf") editor.editText(cursor.line.path);
    else editor.editPayload();
  };
  const body = cursor.line?.kind === "leaf" ? cursor.line : null;
  const takesTemplate = draft.kind === "notes" && body?.path.at(-1) === "body";
  const template = async () => {
    const { chooseTemplate } = await import("./note-templates.ts");
    const isForSeveral = several !== undefined;
    if (body !== null) chooseTemplate(here, { draft, composition, line: body, isForSeveral });
  };
  const lose = () => setHasLost(true);
  const isRows = cursor.line?.kind !== "leaf" && cursor.line?.kind !== "review";
  useKeys(
    {
      ...cursor.actions,
      ...lineActions({ form, composition, cursor, overlays, review: acts.review }),
      ...acts,
      ...(takesTemplate ? { template } : {}),
      editor: { run: edit, label: onField ? "edit text" : "edit as JSON" },
    },
    {
      active: focus && editor.returned === null && !state.removed,
      printable: { acts: isRows ? rowKeys : [], other: lose },
      onPaste: lose,
    },
  );
  if (state.removed) return <MissingDraftNotice />;
  if (editor.returned !== null) {
    return <EditedView returned={editor.returned} onAnswer={editor.answer} />;
  }
  const drawn = drawLines(lines, {
    columns: room.columns,
    focus: cursor.line?.id ?? null,
    issues: placed,
    typedAt,
    filled: (leaf, text) => filledFor(several?.example ?? null, leaf, text),
  });
  return (
    <Body>
      <Text tone="title">{`${form.title} for ${several?.whom ?? targetOf(draft)}`}</Text>
      {several === undefined ? null : (
        <Text tone="muted">{"Filled in: {external_account_number}, {import_supplier}"}</Text>
      )}
      {shownAbove.map(({ text, tone }, at) => (
        <Paragraph key={text} tone={tone} most={maxRowsOf(at)}>
          {text}
        </Paragraph>
      ))}
      <FormView
        lines={drawn}
        rows={rows}
        focus={focus}
        alert={hasLost && cursor.line !== null ? noTextWords(cursor.line, key) : null}
        onType={(path, text) => composition.apply({ type: "set", path, text })}
      />
    </Body>
  );
}

function targetOf({ supplier, account }: SavedDraft): string {
  return account === null ? supplier : `${supplier}/${account}`;
}

/**
 * Returns a text with the example's values in place of the placeholders, or null if it has no valid
 * placeholder.
 */
function filledFor(example: PlaceholderValues | null, leaf: Leaf, text: string): string | null {
  if (example === null || !takesPlaceholders(leaf) || placeholderProblem(text) !== null)
    return null;
  const filled = fillText(text, example);
  if (filled === text) return null;
  const [line = "", ...more] = filled.split(/\r?\n/);
  return more.length === 0 ? line : `${line}…`;
}

function putByWords(key: KeyWords): string {
  return `What you wrote in the editor is saved with the draft: ${key("editor")} opens it.`;
}

function storedWords(path: string): string {
  return `An editor left a file with this draft: ${path}`;
}

function wordsOf(error: unknown): string {
  return `Not saved: ${errorMessage(error)}`;
}

/** Replaces a form if its draft no longer exists. */
export function MissingDraftNotice() {
  return (
    <Body>
      <Text tone="muted">This draft no longer exists: it was sent or discarded.</Text>
    </Body>
  );
}
