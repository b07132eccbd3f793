/** Opens a new draft that is filled with the payload of a journal entry. */
import { errorLine } from "../errors/error-words.ts";
import { emptyForm, type FormState } from "../forms/form-values.ts";
import { forms } from "../forms/forms.ts";
import { parseJson } from "../forms/parse-json.ts";
import { toValues } from "../forms/values-json.ts";
import { draftService, newDraftId, type SavedDraft } from "../state/drafts.ts";
import { shortInstant } from "../text/dates.ts";
import { find } from "../triage/find/find.ts";
import { elsewhere, type Hit, isListed, sourceWords } from "../triage/find/found.ts";
import { type ActivityDetail, bodyText, showActivity } from "../writes/activity-detail.ts";
import { formKindOf } from "../writes/kinds/kinds.ts";
import type { Here } from "./app.ts";
import { targetFields } from "./draft.ts";
import { withJournal } from "./entry-actions.ts";
import { notImportedWords } from "./plan.ts";

type DraftContent = Omit<SavedDraft, "id" | "profile" | "service" | "updatedAt" | "value"> & {
  readonly value: FormState;
};

const searchMs = 2_000;

/**
 * Opens the form of an entry's operation as a new draft that is filled with the entry's payload. The
 * supplier and the account can be edited. If the entry was rejected, and its number is known
 * elsewhere or almost the same number is, asks first which account is meant.
 */
export function editAsNew(here: Here, entry: number): void {
  withJournal(here, "opening the draft", async ({ journal }, isHere) => {
    const { app, session } = here;
    const detail = showActivity(journal, entry);
    const content = draftOf(detail, bodyText(journal, entry));
    if (typeof content === "string") {
      app.notices.show(content, "waiting");
      return;
    }
    const meant = detail.outcome === "rejected" ? await accountMeant(here, content) : null;
    if (!isHere()) return;
    const open = (chosen: DraftContent) => openDraft(here, chosen);
    const { supplier, account } = content;
    if (meant === null || account === null) {
      open(content);
      return;
    }
    const { hit, words } = meant;
    app.overlays.choose(`Entry ${entry} is for ${supplier}/${account}. Which account is meant?`, [
      {
        label: `${hit.supplier}/${hit.number}`,
        hint: `${words}, ${sourceWords(hit, session.now(), (at) => shortInstant(at, session.now()))}`,
        run: () => open(retargeted(content, hit)),
      },
      { label: `${supplier}/${account}`, hint: "as it was sent", run: () => open(content) },
    ]);
  });
}

function openDraft({ app, session }: Here, content: DraftContent): void {
  const id = newDraftId();
  const { profile } = session;
  try {
    app.formDrafts.save({
      ...content,
      id,
      profile: profile.name,
      service: draftService(profile),
      updatedAt: app.clock.now(),
    });
  } catch (error) {
    app.notices.show(errorLine(error, { doing: "opening the draft" }), "bad");
    return;
  }
  app.navigation.push({ kind: "compose", draft: id });
}

/**
 * Returns the account that was probably meant, if its supplier does not list the number of a draft.
 * Searches the lists in memory and the stored ones, without a request, for at most `searchMs`.
 * Returns null if none is known.
 */
async function accountMeant(
  { app, session }: Here,
  { supplier, account }: DraftContent,
): Promise<ReturnType<typeof elsewhere>> {
  if (account === null) return null;
  const stop = new AbortController();
  const timer = new AbortController();
  app.clock.sleep(searchMs, timer.signal).then(
    () => stop.abort(),
    () => {},
  );
  try {
    const suppliers = new Set([supplier, ...session.suppliers.get()]);
    const sources = session.finder.sources([...suppliers], false);
    const search = await find([account], sources, { signal: stop.signal, now: session.now });
    const found = search.found(0);
    const own = found.places.find((place) => place.supplier === supplier)?.hit ?? null;
    return own !== null && isListed(own) ? null : elsewhere(found, supplier);
  } catch {
    // The form opens without the offer.
    return null;
  } finally {
    timer.abort();
  }
}

function retargeted(
  content: DraftContent,
  { supplier, number: account }: Pick<Hit, "supplier" | "number">,
): DraftContent {
  const { value } = content;
  const target = { import_supplier: supplier, external_account_number: account };
  return {
    ...content,
    supplier,
    account,
    value: { ...value, values: { ...value.values, ...target } },
    refusals: [],
  };
}

export function draftOf(detail: ActivityDetail, body: string | null): DraftContent | string {
  const { journal_id: id, operation, import_supplier: supplier } = detail;
  const kind = formKindOf(operation);
  if (kind === null) return `There is no form for ${operation}.`;
  if (body === null) return `The body of entry ${id} has been purged from the journal.`;
  const form = forms[kind];
  const account = detail.external_account_number ?? null;
  const target = targetFields(form, { supplier, account });
  const parsed = parseJson(form, body);
  const empty = emptyForm(form, target);
  const read = parsed.ok ? toValues(form, parsed.body) : null;
  const query = Object.entries(detail.query).map(([name, value]): [string, boolean] => [
    name,
    value === "true",
  ]);
  return {
    kind,
    supplier,
    account,
    value: { ...empty, values: { ...(read?.values ?? empty.values), ...target } },
    query: Object.fromEntries(query),
    refusals: refusalsOf(detail),
    fromEntry: id,
    // If parts do not fit the form, the whole body is saved as an editor's text, so that nothing is
    // lost.
    ...(read !== null && read.unfit.length === 0 ? {} : { edited: body }),
  };
}

function refusalsOf({
  outcome,
  http_status: status,
  import_supplier: importSupplier,
  external_account_number: externalAccountNumber,
}: ActivityDetail): SavedDraft["refusals"] {
  if (outcome !== "rejected" || status !== 404 || externalAccountNumber === undefined) return [];
  const target = { kind: "account", importSupplier, externalAccountNumber } as const;
  return [{ path: ["external_account_number"], message: notImportedWords(target) }];
}
