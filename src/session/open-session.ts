import type { MarkedAccounts } from "../accounts/marks.ts";
import { createService } from "../api/client.ts";
import type { CredentialSource } from "../api/service.ts";
import { memoryCredentials } from "../settings/credentials.ts";
import type { ResolvedProfile } from "../settings/resolve.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import { createSecrets } from "../settings/secrets.ts";
import { serviceOptions } from "../settings/service-options.ts";
import { recordingOf } from "../settings/settings.ts";
import { openCohorts } from "../triage/cohorts/cohorts.ts";
import { lazyObservations } from "../triage/observations/open-observations.ts";
import { droppedWords, reportRecorded } from "../triage/observations/words.ts";
import { createBudget } from "../watch/budget.ts";
import { createCheckHistory } from "../watch/check-history.ts";
import type { Transition, WatchSubject } from "../watch/timeline.ts";
import { Ending, settleAfter } from "../writes/send/events.ts";
import { createAccountLists } from "./account-lists.ts";
import { Board } from "./board.ts";
import { createCommandLog } from "./command-log.ts";
import { createRateLimitStatus, type Link, linkAfter } from "./connection.ts";
import { createFinder } from "./find-sources.ts";
import { createImportPaces } from "./import-paces.ts";
import { createListMemory } from "./list-memory.ts";
import { loggedService, logTasks } from "./logged-work.ts";
import { createObservedLists } from "./observed-lists.ts";
import { openWatchList } from "./open-watch-list.ts";
import { createCohortCounter, followOpenWork } from "./open-work.ts";
import type { AccountTab } from "./places.ts";
import { sessionJournal } from "./session-journal.ts";
import { sessionCohorts, sessionTeam } from "./session-team.ts";
import { createStore } from "./store.ts";
import { createSupplierHistories } from "./supplier-histories.ts";
import type { Surroundings } from "./surroundings.ts";
import { createSessionTasks, runPatienceMs } from "./tasks.ts";
import { followTeam } from "./team-state.ts";

/**
 * Opens a profile: starts the sandbox if the profile is that of the embedded sandbox, creates the
 * client of the service, and starts the checks of the watch list. Rejects with the errors of the
 * sandbox and of the settings.
 */
export async function openSession(resolved: ResolvedProfile, options: Surroundings) {
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
  /** Returns the service's time in epoch milliseconds. */
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
    id: crypto.randomUUID() as string,
    openedAt: options.clock.now(),
    profile,
    /** The change of the stored profile that prevents all sends, or null if there is none. */
    outdated: null as "moved" | "gone" | null,
    baseUrl: service.baseUrl,
    service,
    link,
    now,
    rateLimit,
    report,
    list: (supplier: string, tab: AccountTab) => lists.get(supplier, tab),
    knownList: (supplier: string, tab: AccountTab) => lists.known(supplier, tab),
    loadList: observed.load,
    cohorts,
    listedOf: observed.listedOf,
    storedOf: observed.storedOf,
    observations,
    observationNotice,
    finder: createFinder({ service, lists, observations, budget, loads }),
    comparedMarks: new Map<string, MarkedAccounts>(),
    listedRow: (supplier: string, account: string) => lists.rowOf(supplier, account),
    /** The write path with its journal, opened by the first call. Rejects with a journal error. */
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
    /** Returns a subject's timeline, with observations before this session. Never rejects. */
    async recall(subject: WatchSubject): Promise<readonly Transition[]> {
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
    authForm: (): "token" | "bare" => form ?? (profile.authForm === "bare" ? "bare" : "token"),
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

/** An open profile: its service, and everything loaded from it. Closing it drops every row. */
export type Session = Readonly<Awaited<ReturnType<typeof openSession>>>;
