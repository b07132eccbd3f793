/** Opens a profile as a session: its service and everything that is loaded from it. */
import type { AccountListStore } from "../accounts/account-list.ts";
import type { MarkedAccounts } from "../accounts/marks.ts";
import type { AccountRow } from "../accounts/table.ts";
import { createService } from "../api/client.ts";
import type { CredentialSource, Service } from "../api/service.ts";
import { memoryCredentials } from "../settings/credentials.ts";
import type { ResolvedProfile } from "../settings/resolve.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import type { Profile } from "../settings/schemas.ts";
import { createSecrets } from "../settings/secrets.ts";
import { serviceOptions } from "../settings/service-options.ts";
import { recordingOf } from "../settings/settings.ts";
import { type Cohorts, openCohorts } from "../triage/cohorts/cohorts.ts";
import type { Observations } from "../triage/observations/observations.ts";
import { lazyObservations } from "../triage/observations/open-observations.ts";
import { droppedWords, reportRecorded } from "../triage/observations/words.ts";
import type { ListedAccount } from "../triage/verdict.ts";
import { type Budget, createBudget } from "../watch/budget.ts";
import { type CheckHistory, createCheckHistory } from "../watch/check-history.ts";
import type { Transition, WatchSubject } from "../watch/timeline.ts";
import type { WatchList } from "../watch/watch-list.ts";
import type { Writes } from "../writes/open-writes.ts";
import { Ending, settleAfter } from "../writes/send/events.ts";
import { createAccountLists } from "./account-lists.ts";
import { Board } from "./board.ts";
import { type CommandLog, createCommandLog } from "./command-log.ts";
import { createRateLimitStatus, type Link, linkAfter, type RateLimitStatus } from "./connection.ts";
import { createFinder, type Finder } from "./find-sources.ts";
import { createImportPaces, type ImportPaces } from "./import-paces.ts";
import { createListMemory, type ListMemory } from "./list-memory.ts";
import { loggedService, logTasks } from "./logged-work.ts";
import { createObservedLists } from "./observed-lists.ts";
import { openWatchList } from "./open-watch-list.ts";
import { createCohortCounter, followOpenWork, type StoredOpen } from "./open-work.ts";
import type { AccountTab } from "./places.ts";
import { sessionJournal } from "./session-journal.ts";
import { sessionCohorts, sessionTeam } from "./session-team.ts";
import { createStore, type Store } from "./store.ts";
import { createSupplierHistories, type SupplierHistories } from "./supplier-histories.ts";
import type { Surroundings } from "./surroundings.ts";
import { createSessionTasks, runPatienceMs, type SessionTasks } from "./tasks.ts";
import { type FollowedTeam, followTeam } from "./team-state.ts";

/**
 * An open profile: its service, and everything loaded from it. Closing the session drops every row.
 */
export interface Session {
  readonly id: string;
  readonly profile: Profile;
  readonly openedAt: number;
  /** The change of the stored profile that prevents all sends, or null if there is none. */
  readonly outdated: "moved" | "gone" | null;
  readonly baseUrl: string;
  readonly service: Service;
  readonly link: Store<Link>;
  /**
   * Returns the service's time in epoch milliseconds, or this machine's time while both agree
   * within an hour.
   */
  now(): number;
  readonly rateLimit: RateLimitStatus;
  report(error: unknown): void;
  list(supplier: string, tab: AccountTab): AccountListStore;
  knownList(supplier: string, tab: AccountTab): AccountListStore | null;
  /**
   * Loads a list. Resolves when the load has ended: the list's snapshot has the result. After that,
   * a complete list of all accounts is recorded, and rows receive their ages.
   */
  loadList(supplier: string, tab: AccountTab, signal: AbortSignal): Promise<void>;
  readonly observations: Observations;
  listedOf(supplier: string, account: string): ListedAccount | null;
  /**
   * Returns what the stored lists show of an account, or null if none of them had it. Rejects if
   * the observations cannot be read.
   */
  storedOf(supplier: string, account: string): Promise<ListedAccount | null>;
  readonly observationNotice: Store<string | null>;
  readonly finder: Finder;
  readonly comparedMarks: Map<string, MarkedAccounts>;
  listedRow(supplier: string, account: string): AccountRow | null;
  /** The write path with its journal, opened by the first call. Rejects with a journal error. */
  writes(): Promise<Writes>;
  /**
   * Returns the write path if there is a journal. Returns null if there is none yet, because
   * reading creates none, or if the signal is aborted meanwhile. Rejects with a journal error.
   */
  existingWrites(signal: AbortSignal): Promise<Writes | null>;
  /**
   * The open work of the service in the journal and the cohorts, counted while it has a subscriber.
   */
  readonly openWork: Pick<Store<StoredOpen>, "get" | "subscribe">;
  /** The state of the team's ledger, asked while it has a subscriber. */
  readonly team: FollowedTeam;
  readonly tasks: SessionTasks;
  endTasks(): Promise<void>;
  readonly log: CommandLog;
  readonly watch: WatchList;
  readonly lists: ListMemory;
  readonly checkHistory: CheckHistory;
  /**
   * Returns the timeline of a subject, with the observations before this session. Never rejects.
   */
  recall(subject: WatchSubject): Promise<readonly Transition[]>;
  readonly paces: ImportPaces;
  readonly budget: Budget;
  readonly cohorts: Pick<
    Cohorts,
    "add" | "checkNew" | "list" | "listAll" | "read" | "remove" | "share"
  >;
  readonly histories: SupplierHistories;
  readonly suppliers: Store<readonly string[]>;
  readonly board: Board;
  authForm(): "token" | "bare";
  close(): Promise<void>;
}

/**
 * Opens a profile: starts the sandbox if the profile is that of the embedded sandbox, creates the
 * client of the service, and starts the checks of the watch list. Rejects with the errors of the
 * sandbox and of the settings.
 */
export async function openSession(
  resolved: ResolvedProfile,
  options: Surroundings,
): Promise<Session> {
  const { profile } = resolved;
  // Secrets that name no service are bound to the service that is opened first.
  if (profile.baseUrl !== null) options.secrets.bindTo(profile);
  const sandbox = profile.baseUrl === null ? await options.openSandbox() : null;
  const credentials = sandbox
    ? memoryCredentials(createSecrets({ apiKey: sandbox.apiKey }))
    : resolved.credentials;
  let form = options.settings.knownForm(profile.name);
  const credentialsWithForm: CredentialSource = {
    apiKey: (signal) => credentials.apiKey(signal),
    token: (signal) => credentials.token(signal),
    secrets: () => credentials.secrets(),
    storeToken: (token) => credentials.storeToken(token),
    storeForm: async (next) => {
      form = next;
      await credentials.storeForm(next);
    },
  };
  const rateLimit = createRateLimitStatus(options.clock);
  const place = { profile, ...(sandbox ? { baseUrl: sandbox.baseUrl } : {}) };
  const log = createCommandLog(options.clock);
  const unloggedService = createService({
    ...serviceOptions(place, options.env, credentialsWithForm, form),
    clock: options.clock,
    onRateLimited: rateLimit.report,
  });
  const service = loggedService(unloggedService, log, profileFlag(profile));
  const now = () => options.clock.now() - service.wrongByMs();
  const lists = createAccountLists(options.clock.now, {
    agesNow: now,
    maxBytes: options.maxListBytes,
  });
  const link = createStore<Link>({ kind: "unknown" });
  const tasks = createSessionTasks(options.clock);
  const report = (error: unknown) => link.set(linkAfter(link.get(), error, options.clock.now()));
  const loads = createStore(0);
  const reportLoad = (error: unknown) => {
    report(error);
    loads.set(loads.get() + 1);
  };
  const observationNotice = createStore<string | null>(null);
  const reportRecording = reportRecorded(observationNotice, profileFlag(profile));
  const observations = lazyObservations({
    place: sandbox ?? { folder: options.stateDir },
    origin: service.baseUrl,
    judge: service,
    clock: options.clock,
    recording: async () => recordingOf(options.env, () => options.settings.preferences()),
    onRecorded(supplier, recorded) {
      reportRecording(supplier, recorded);
      paces.forget(supplier);
      // The list is recorded after its load ended, so a repeated search can find more now.
      loads.set(loads.get() + 1);
    },
    team: sessionTeam(profile, service.baseUrl, options, {
      onChanged(supplier) {
        paces.forget(supplier);
        loads.set(loads.get() + 1);
        observed.readAgain(supplier);
      },
      onDropped: (supplier, lists) => observationNotice.set(droppedWords(supplier, lists)),
    }),
  });
  const paces = createImportPaces(observations);
  const checkHistory = createCheckHistory(observations.saw, service.wrongByMs);
  const cohorts = openCohorts(options.state, sessionCohorts(profile, service.baseUrl, options));
  const observed = createObservedLists({
    service,
    lists,
    observations,
    readCohort: async (name, supplier) => (await cohorts.read(name, supplier)).numbers,
    clock: options.clock,
    now,
    report: reportLoad,
  });
  const budget = createBudget(options.clock);
  const watch = openWatchList({
    service,
    profile,
    report,
    checkHistory,
    cohorts,
    budget,
    surroundings: options,
    observations,
  });
  // The entries of an embedded sandbox end with it: its journal is in memory.
  const journalFolder = sandbox === null ? options.stateDir : null;
  const journal = sessionJournal({
    folder: journalFolder,
    memoryIn: options.settings.folder,
    service: unloggedService,
    profile,
    teamDriver: {
      env: options.env,
      home: options.home,
      profiles: options.settings.profiles,
      load: options.loadLedger,
    },
    pid: options.pid,
    clock: options.clock,
  });
  const endTasks = async () => {
    const { end } = options;
    const ending = end.aborted
      ? end
      : AbortSignal.abort(new Ending("the profile was closed", runPatienceMs));
    const { reason } = ending;
    const patienceMs = settleAfter(ending);
    await Promise.all([
      tasks.runs.end({ patienceMs }),
      tasks.forms.end({ reason }),
      tasks.entries.end({ reason }),
      tasks.reconciles.end({ reason }),
      tasks.files.end({ reason }),
    ]);
  };
  logTasks(tasks, log, {
    profile: profileFlag(profile),
    async entryOf(id) {
      try {
        const [{ context }, { entryOf }] = await Promise.all([
          journal.open(),
          import("../writes/submit.ts"),
        ]);
        return entryOf(context, id);
      } catch {
        return null;
      }
    },
  });
  const histories = createSupplierHistories({ service, observations, now, budget });
  const board = new Board({
    service,
    observations,
    histories,
    clock: options.clock,
    loadedElsewhere: lists.loadedAt,
    report: reportLoad,
  });
  const suppliers = createStore((options.settings.find(profile.name) ?? profile).suppliers);
  const countCohorts = createCohortCounter({ cohorts, observations, now });
  return {
    id: crypto.randomUUID(),
    openedAt: options.clock.now(),
    profile,
    outdated: null,
    baseUrl: service.baseUrl,
    service,
    link,
    now,
    rateLimit,
    report,
    list: (supplier, tab) => lists.get(supplier, tab),
    knownList: (supplier, tab) => lists.known(supplier, tab),
    loadList: observed.load,
    cohorts,
    listedOf: observed.listedOf,
    storedOf: observed.storedOf,
    observations,
    observationNotice,
    finder: createFinder({ service, lists, observations, budget, loads }),
    comparedMarks: new Map(),
    listedRow: (supplier, account) => lists.rowOf(supplier, account),
    writes: journal.open,
    existingWrites: journal.read,
    openWork: followOpenWork({
      baseUrl: service.baseUrl,
      existingWrites: journal.read,
      clock: options.clock,
      countCohorts: (signal) => countCohorts(suppliers.get(), signal),
      progress: tasks.entries.all,
      runs: tasks.runs.all,
    }),
    team: followTeam({ profile, writes: journal.open, clock: options.clock }),
    tasks,
    endTasks,
    log,
    watch,
    lists: createListMemory(),
    checkHistory,
    budget,
    async recall(subject) {
      try {
        checkHistory.recall(subject, await observations.timeline(subject));
      } catch {
        // The store reports its problem, and the timeline then begins with this session.
      }
      return checkHistory.of(subject);
    },
    paces,
    histories,
    suppliers,
    board,
    authForm: () => form ?? (profile.authForm === "bare" ? "bare" : "token"),
    async close() {
      rateLimit.close();
      watch.close();
      observed.close();
      lists.dispose();
      // Tasks record their end while the journal is open.
      await endTasks();
      await journal.close();
      await observations.close();
      await service.close();
      await sandbox?.close();
    },
  };
}
