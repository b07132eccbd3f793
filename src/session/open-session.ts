import type { AccountListStore } from "../accounts/account-list.ts";
import type { AccountRow } from "../accounts/table.ts";
import { createService } from "../api/client.ts";
import type { CredentialSource, ListState, Service } from "../api/service.ts";
import { passingCredentials } from "../settings/credentials.ts";
import type { Profile } from "../settings/profile.ts";
import type { ResolvedProfile } from "../settings/resolve.ts";
import { holdSecrets } from "../settings/secrets.ts";
import { serviceOptions } from "../settings/service-options.ts";
import { createSightings, type Sightings } from "../watch/sightings.ts";
import type { WatchList } from "../watch/watch-list.ts";
import type { Writes } from "../writes/open-writes.ts";
import { settleAfter } from "../writes/send/request.ts";
import { writeServiceOf } from "../writes/write-service.ts";
import { createAccountLists } from "./account-lists.ts";
import { createRateLimitStatus, type Link, linkAfter, type RateLimitStatus } from "./connection.ts";
import type { ConsoleContextValue } from "./console-context.ts";
import { createStore, type Store } from "./store.ts";
import { createSessionTasks, runPatienceMs, type SessionTasks } from "./tasks.ts";
import { openWatchList } from "./watch-list.ts";

/** An open profile: its service and everything loaded from it. Closing it drops every row. */
export interface Session {
  /** Another one for every opening. */
  readonly id: string;
  readonly profile: Profile;
  /** The stored profile is another one by now, so nothing is sent; null while it is the same. */
  readonly outdated: "moved" | "gone" | null;
  readonly baseUrl: string;
  readonly service: Service;
  /** Whether the link works, as the latest calls found it. */
  readonly link: Store<Link>;
  /** Whether calls wait because the service limits the rate. */
  readonly rateLimit: RateLimitStatus;
  /** Tells how a call ended, for `link`. */
  report(error: unknown): void;
  /** One list of a supplier, shared by every screen that shows it. */
  list(supplier: string, state: ListState): AccountListStore;
  /** What the lists loaded so far say of an account; null when none of them has it. */
  listedRow(supplier: string, account: string): AccountRow | null;
  /** The write path with its journal, opened when first asked for. Rejects with JournalError. */
  writes(): Promise<Writes>;
  /** The same where it has been asked for; null before. */
  openedWrites(): Promise<Writes> | null;
  /** The folder of its journal; null for an embedded sandbox, which has its journal in memory. */
  readonly journalFolder: string | null;
  /** Everything that is under way: entries, forms and bulk runs. */
  readonly tasks: SessionTasks;
  /** What is watched with this profile, whatever is on the screen. */
  readonly watch: WatchList;
  /** What was seen with this profile of accounts and supply points. */
  readonly sightings: Sightings;
  /** The form of the Authorization header, for the curl equivalent. */
  authForm(): "token" | "bare";
  close(): Promise<void>;
}

/**
 * Opens a profile: starts the embedded sandbox when that is what it is, and builds the service.
 * Nothing is sent yet. Throws what the sandbox or the settings throw.
 */
export async function openSession(
  resolved: ResolvedProfile,
  options: ConsoleContextValue,
): Promise<Session> {
  const { profile } = resolved;
  const sandbox = profile.baseUrl === null ? await options.openSandbox() : null;
  const credentials = sandbox
    ? passingCredentials(holdSecrets({ apiKey: sandbox.apiKey }))
    : resolved.credentials;
  let form = options.settings.knownForm(profile.name);
  const watched: CredentialSource = {
    apiKey: (signal) => credentials.apiKey(signal),
    token: (signal) => credentials.token(signal),
    keepToken: (token) => credentials.keepToken(token),
    keepForm: async (next) => {
      form = next;
      await credentials.keepForm(next);
    },
  };
  const rateLimit = createRateLimitStatus(options.clock);
  const place = { profile, ...(sandbox ? { baseUrl: sandbox.baseUrl } : {}) };
  const service = createService({
    ...serviceOptions(place, options.env, watched, form),
    onRateLimited: rateLimit.report,
  });
  const link = createStore<Link>({ kind: "unknown" });
  const lists = createAccountLists(options.maxListBytes);
  const tasks = createSessionTasks(options.clock);
  const report = (error: unknown) => link.set(linkAfter(link.get(), error, options.clock.now()));
  const sightings = createSightings();
  const watch = openWatchList({ service, profile, report, sightings, surroundings: options });
  // What is sent to an embedded sandbox ends with it, and is none of the real journal's business.
  const journalFolder = sandbox === null ? options.stateDir : null;
  let writes: Promise<Writes> | null = null;
  return {
    id: crypto.randomUUID(),
    profile,
    outdated: null,
    baseUrl: service.baseUrl,
    service,
    link,
    rateLimit,
    report,
    list: (supplier, state) => lists.get(supplier, state),
    listedRow: (supplier, account) => lists.rowOf(supplier, account),
    writes: () => {
      writes ??= import("../writes/open-writes.ts").then(({ openWrites }) =>
        openWrites({
          folder: journalFolder,
          service: writeServiceOf(service),
          profile: profile.name,
          pid: options.pid,
          clock: options.clock,
        }),
      );
      // A journal that could not be opened may be mended and asked for again.
      writes.catch(() => {
        writes = null;
      });
      return writes;
    },
    openedWrites: () => writes,
    journalFolder,
    tasks,
    watch,
    sightings,
    authForm: () => form ?? (profile.authForm === "bare" ? "bare" : "token"),
    async close() {
      rateLimit.close();
      watch.close();
      lists.dispose();
      // What is under way is put on record while there is a journal to do that in.
      const reason = options.end.aborted ? options.end.reason : undefined;
      const patienceMs = options.end.aborted ? settleAfter(options.end) : runPatienceMs;
      await Promise.all([
        tasks.runs.end({ patienceMs }),
        tasks.forms.end({ reason }),
        tasks.entries.end({ reason }),
      ]);
      await writes?.then((opened) => opened.close()).catch(() => {});
      await service.close();
      await sandbox?.close();
    },
  };
}
