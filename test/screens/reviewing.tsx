import { type Clock, systemClock } from "../../src/api/clock.ts";
import { emptyForm, type FormValues } from "../../src/forms/form-values.ts";
import { type FormKind, forms } from "../../src/forms/forms.ts";
import type { SavedDrafts } from "../../src/state/drafts.ts";
import { draftService, newDraftId, openDrafts } from "../../src/state/drafts.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import type { Screen } from "../helpers/screen.tsx";
import { stateIn } from "../helpers/state.ts";
import { type OpenedConsoleOptions, openConsoleAt } from "./opened-console.tsx";

/** A console in this process that opens at a draft: at its form, or at its review. */
export interface Reviewing extends AsyncDisposable {
  readonly screen: Screen;
  readonly drafts: SavedDrafts;
  readonly draft: string;
}

export interface ReviewingOptions extends Pick<OpenedConsoleOptions, "env" | "loadLedger"> {
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  readonly kind: FormKind;
  readonly account?: string;
  readonly values: FormValues;
  readonly query?: Readonly<Record<string, boolean>>;
  readonly environment?: string;
  readonly readOnly?: boolean;
  /** A stored profile of these folders; one from the environment where absent. */
  readonly profile?: string;
  /** The machine's own where absent. */
  readonly clock?: Clock;
  readonly folders?: Folders;
  /** Done once the draft is kept, before anything is drawn. */
  readonly beforeOpening?: () => Promise<void>;
  readonly cols?: number;
  readonly rows?: number;
}

/** Opens the console at the review of a draft with these texts. */
export function openReview(options: ReviewingOptions): Promise<Reviewing> {
  return openDraft("review", options);
}

/** Opens the console at the form of a draft with these texts. */
export function openForm(options: ReviewingOptions): Promise<Reviewing> {
  return openDraft("compose", options);
}

async function openDraft(
  screen: "compose" | "review",
  options: ReviewingOptions,
): Promise<Reviewing> {
  const { service, kind, values, account = "EXT-0000001" } = options;
  const folders = options.folders ?? (await openFolders());
  const drafts = openDrafts(await stateIn(folders.state), systemClock.now);
  const draft = newDraftId();
  const isAccount = kind !== "supply-points";
  const given = {
    import_supplier: "ACME",
    ...(isAccount ? { external_account_number: account } : {}),
  };
  drafts.save({
    id: draft,
    kind,
    profile: options.profile ?? "ad-hoc",
    service: draftService(service),
    supplier: "ACME",
    account: isAccount ? account : null,
    value: emptyForm(forms[kind], { ...given, ...values }),
    query: options.query ?? {},
    updatedAt: systemClock.now(),
    refusals: [],
  });
  await options.beforeOpening?.();
  const opened = await openConsoleAt({
    service,
    places: [
      { kind: "suppliers" },
      { kind: "account", supplier: "ACME", account },
      { kind: screen, draft },
    ],
    folders,
    ...(options.environment === undefined ? {} : { environment: options.environment }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.loadLedger === undefined ? {} : { loadLedger: options.loadLedger }),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.readOnly === undefined ? {} : { readOnly: options.readOnly }),
    cols: options.cols ?? 100,
    rows: options.rows ?? 40,
  });
  return {
    screen: opened.screen,
    drafts,
    draft,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      if (!options.folders) await folders[Symbol.asyncDispose]();
    },
  };
}
