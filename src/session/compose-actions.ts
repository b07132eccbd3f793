/** The keys that open a form for an account, a supplier or the marked accounts of a list. */
import type { MarkedAccount, MarkedAccounts } from "../accounts/marks.ts";
import { errorLine } from "../errors/error-words.ts";
import { emptyForm } from "../forms/form-values.ts";
import { type FormKind, forms } from "../forms/forms.ts";
import { formActionIds, formBindings } from "../keys/form-bindings.ts";
import type { Action, Actions } from "../keys/scopes.ts";
import { draftService, newDraftId, type SavedDraft } from "../state/drafts.ts";
import { formatInstant } from "../text/dates.ts";
import { plural } from "../text/numbers.ts";
import { notFound } from "../watch/timeline.ts";
import type { Here } from "./app.ts";
import { targetFields } from "./draft.ts";
import type { MarkedList } from "./places.ts";

interface ComposeTarget {
  readonly account: string;
  /** The reason why the account's last known state would reject an entry, or null. */
  readonly notImported: string | null;
}

/**
 * Returns the keys that open a form, for an account or for the supplier. Only an imported account
 * accepts notes and transactions (INTERFACE 3). For another account the key shows the reason, and
 * offers to compose the form anyway. `draftKinds` has the kinds of forms with a saved draft.
 */
export function composeActions(
  here: Here,
  supplier: string,
  target: ComposeTarget | null,
  draftKinds: ReadonlySet<string> = new Set(),
): Actions {
  const { overlays } = here.app;
  const forAccount = ({ account, notImported }: ComposeTarget, kind: FormKind): Action => {
    const run = () => openForm(here, { kind, supplier, account });
    if (notImported === null) return { run };
    return {
      run,
      disabled: notImported,
      override: () =>
        overlays.confirm({
          question: `${account} is ${notImported}.`,
          detail: "Only an imported account accepts it, and the known status might be out of date.",
          yes: "Compose it anyway",
          onYes: run,
        }),
    };
  };
  const actionOf = (id: (typeof formActionIds)[number]): Action | undefined => {
    const { form: kind, about, label } = formBindings[id];
    const draft = draftKinds.has(kind) ? { label: `${label} ·draft`, isMain: true } : {};
    if (about === "supplier")
      return { ...draft, run: () => openForm(here, { kind, supplier, account: null }) };
    return target === null ? undefined : { ...forAccount(target, kind), ...draft };
  };
  return Object.fromEntries(formActionIds.map((id) => [id, actionOf(id)]));
}

/** Returns the reason why an account in this state accepts nothing, or null if it might accept. */
export function notImportedWords(state: string | null): string | null {
  switch (state) {
    case null:
    case "COMPLETED":
      return null;
    case "IN_PROGRESS":
      return "not imported yet: the service would answer 404";
    case "UNKNOWN":
      return "staged, not imported: the service would answer 404";
    case notFound:
      return "not known to the service, which would answer 404";
    default:
      // Statuses are an open enumeration: only the service knows what a new one allows.
      return null;
  }
}

export function notListedWords(row: {
  readonly pending: boolean;
  readonly gone: boolean;
}): string | null {
  if (row.gone) return "on no list any more, never imported: the service would answer 404";
  return row.pending ? "listed as pending, not imported: the service would answer 404" : null;
}

/** The target of a form. The account is null for a supply point and for several accounts. */
interface ComposeFor {
  readonly kind: FormKind;
  readonly supplier: string;
  readonly account: string | null;
}

function openForm(here: Here, wanted: ComposeFor): void {
  const draft = draftFor(here, wanted);
  if (draft !== null) here.app.navigation.push({ kind: "compose", draft });
}

/**
 * Returns the key that opens a form for the marked accounts of a list, with its saved draft if
 * there is one. `problem` is the reason why the key cannot be used, or null. `prepare` marks the
 * accounts in the list first, and returns false if none is left.
 */
export function composeMarked(
  here: Here,
  options: {
    readonly supplier: string;
    readonly list: MarkedList;
    readonly marks: number;
    readonly problem?: string | null;
    readonly prepare?: () => boolean;
  },
): Action {
  const { supplier, list, marks, problem = null, prepare = () => true } = options;
  const { navigation, overlays, key } = here.app;
  const compose = (kind: FormKind) => () => {
    if (!prepare()) return;
    const draft = draftFor(here, { kind, supplier, account: null });
    if (draft !== null) navigation.push({ kind: "compose-marked", draft, supplier, list });
  };
  return {
    disabled:
      marks === 0
        ? `Mark accounts first: ${key("mark")} marks one, ${key("mark-all")} all that match.`
        : problem,
    run: () =>
      overlays.choose(`Compose for ${plural(marks, "marked account")}`, [
        { label: "A note", hint: "on each account", run: compose("notes") },
        {
          label: "Transactions",
          hint: "the same ones on each account",
          run: compose("transactions"),
        },
      ]),
  };
}

/**
 * Returns the key that opens a form for the marked rows of a comparison or a search. They
 * have the accounts, so nothing is loaded. Accounts on no list are left out, with a notice.
 */
export function composeCompared(
  here: Here,
  options: {
    readonly supplier: string;
    readonly marks: number;
    readonly listed: () => readonly MarkedAccount[];
    readonly problem: string | null;
  },
): Action {
  const { supplier, marks, listed, problem } = options;
  return composeMarked(here, {
    supplier,
    list: "compared",
    marks,
    problem,
    prepare() {
      const accounts = listed();
      here.session.comparedMarks.set(supplier, { count: accounts.length, each: () => accounts });
      const absent = marks - accounts.length;
      const words = `${plural(absent, "marked account")} on no list: left out.`;
      if (absent > 0) here.app.notices.show(words, "waiting");
      return accounts.length > 0;
    },
  });
}

export function markedIn(
  session: Here["session"],
  supplier: string,
  list: MarkedList,
): MarkedAccounts {
  if (list !== "compared") return session.list(supplier, list).marks.snapshot();
  return session.comparedMarks.get(supplier) ?? { count: 0, each: () => [] };
}

/**
 * Returns the ID of the draft of a form. Restores the newest draft for the same profile, kind,
 * supplier and account, with a notice, or saves an empty one. Returns null if the draft cannot even
 * be stored in memory.
 */
function draftFor({ app, session }: Here, wanted: ComposeFor): string | null {
  const { formDrafts, clock, notices, key } = app;
  const { profile } = session;
  const { kind, supplier, account } = wanted;
  const saved = formDrafts
    .list(profile)
    .find(
      (draft) => draft.kind === kind && draft.supplier === supplier && draft.account === account,
    );
  if (saved !== undefined) {
    const since = timeOf(saved.updatedAt, clock.now());
    notices.show(`Draft of ${since} restored; ${key("discard")} discards it.`, "busy");
    return saved.id;
  }
  const form = forms[kind];
  const draft: SavedDraft = {
    id: newDraftId(),
    kind,
    profile: profile.name,
    service: draftService(profile),
    supplier,
    account,
    value: emptyForm(form, targetFields(form, wanted)),
    query: {},
    updatedAt: clock.now(),
    refusals: [],
  };
  try {
    formDrafts.save(draft);
  } catch (error) {
    notices.show(errorLine(error, { doing: "saving the draft" }), "bad");
    // A draft that is only in memory can be filled in. Its form reports that it is not saved.
    return formDrafts.find(draft.id)?.id ?? null;
  }
  return draft.id;
}

function timeOf(ms: number, now: number): string {
  const text = formatInstant(ms, { seconds: false });
  const today = formatInstant(now, { seconds: false }).slice(0, 10);
  return text.startsWith(today) ? text.slice(11) : text;
}
