import { type Clock, systemClock } from "../../src/api/clock.ts";
import { type DraftObject, emptyDraft } from "../../src/forms/draft.ts";
import type { FormKind } from "../../src/forms/fields.ts";
import { forms } from "../../src/forms/forms.ts";
import { ConsoleProvider } from "../../src/hooks/console.tsx";
import { FreshnessProvider } from "../../src/hooks/freshness.tsx";
import { InFlightProvider } from "../../src/hooks/in-flight.tsx";
import { KeyProvider } from "../../src/hooks/keys.tsx";
import { LockProvider } from "../../src/hooks/lock.tsx";
import { NavigationProvider } from "../../src/hooks/navigation.tsx";
import { NoticeProvider } from "../../src/hooks/notices.tsx";
import { OverlayProvider } from "../../src/hooks/overlay.tsx";
import type { Place } from "../../src/hooks/places.ts";
import { SessionProvider } from "../../src/hooks/session.tsx";
import { App } from "../../src/screens/app.tsx";
import { screens } from "../../src/screens/registry.tsx";
import { createScreenParts } from "../../src/screens/screen-parts.ts";
import type { Drafts } from "../../src/settings/draft.ts";
import { newDraftId, openDrafts } from "../../src/settings/drafts.ts";
import { resolveProfile } from "../../src/settings/resolve.ts";
import { holdSecrets, noSecrets } from "../../src/settings/secrets.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { createTheme, ThemeProvider } from "../../src/theme.tsx";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openScreen, type Screen } from "../helpers/screen.tsx";

/** A console in this process that opens at the review of a draft. */
export interface Reviewing extends AsyncDisposable {
  readonly screen: Screen;
  readonly drafts: Drafts;
  readonly draft: string;
}

export interface ReviewingOptions {
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  readonly kind: FormKind;
  readonly account?: string;
  readonly values: DraftObject;
  readonly query?: Readonly<Record<string, boolean>>;
  readonly environment?: string;
  readonly readOnly?: boolean;
  /** The machine's own where absent. */
  readonly clock?: Clock;
  readonly folders?: Folders;
  /** Done once the draft is kept, before anything is drawn. */
  readonly beforeOpening?: () => Promise<void>;
  readonly cols?: number;
  readonly rows?: number;
}

/** Opens the console at the review of a draft with these texts. */
export async function openReview(options: ReviewingOptions): Promise<Reviewing> {
  const { service, kind, values, account = "EXT-0000001" } = options;
  const folders = options.folders ?? (await openFolders());
  const drafts = openDrafts({ stateDir: folders.state, now: systemClock.now });
  const draft = newDraftId();
  const isAccount = kind !== "supply-points";
  const given = {
    import_supplier: "ACME",
    ...(isAccount ? { external_account_number: account } : {}),
  };
  drafts.save({
    id: draft,
    kind,
    profile: "ad-hoc",
    supplier: "ACME",
    account: isAccount ? account : null,
    value: emptyDraft(forms[kind], { ...given, ...values }),
    query: options.query ?? {},
    updatedAt: systemClock.now(),
    refusals: [],
  });
  const secrets = holdSecrets({ apiKey: service.apiKey });
  const env = {
    SUPPLYLINE_BASE_URL: service.baseUrl,
    ...(options.environment ? { SUPPLYLINE_ENVIRONMENT: options.environment } : {}),
  };
  const settings = openSettings({ configDir: folders.config, env });
  const places: readonly Place[] = [
    { kind: "suppliers" },
    { kind: "account", supplier: "ACME", account },
    { kind: "review", draft },
  ];
  await options.beforeOpening?.();
  const nothing = async () => {};
  const screen = openScreen(
    <ThemeProvider theme={createTheme({ color: true, ascii: false })}>
      <ConsoleProvider
        value={{
          settings,
          env,
          secrets: noSecrets,
          clock: options.clock ?? systemClock,
          drafts: new Map(),
          formDrafts: drafts,
          version: "0",
          stateDir: folders.state,
          pid: process.pid,
          readOnly: options.readOnly ?? false,
          openSandbox: () => Promise.reject(new Error("no sandbox of its own")),
          writeTerminal: () => {},
          suspend: nothing,
          lendTerminal: (use) => use(),
          end: new AbortController().signal,
          holdKeys: () => () => {},
          redraw: () => {},
        }}
      >
        <NoticeProvider clock={systemClock}>
          <OverlayProvider>
            <FreshnessProvider>
              <InFlightProvider>
                <SessionProvider
                  initial={resolveProfile({ env, secrets, settings: () => settings })}
                >
                  <LockProvider>
                    <NavigationProvider start={places}>
                      <KeyProvider>
                        <App parts={createScreenParts(screens)} />
                      </KeyProvider>
                    </NavigationProvider>
                  </LockProvider>
                </SessionProvider>
              </InFlightProvider>
            </FreshnessProvider>
          </OverlayProvider>
        </NoticeProvider>
      </ConsoleProvider>
    </ThemeProvider>,
    { cols: options.cols ?? 100, rows: options.rows ?? 40 },
  );
  return {
    screen,
    drafts,
    draft,
    async [Symbol.asyncDispose]() {
      await screen[Symbol.asyncDispose]();
      if (!options.folders) await folders[Symbol.asyncDispose]();
    },
  };
}
