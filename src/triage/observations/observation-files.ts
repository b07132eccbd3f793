/** Opens the file of the observations, or tables in memory for what cannot be stored there. */
import { join } from "node:path";
import type { Clock } from "../../api/clock.ts";
import type { Service } from "../../api/service.ts";
import { isAppError } from "../../errors/app-error.ts";
import { errorLine } from "../../errors/error-words.ts";
import type { Recording } from "../../settings/settings.ts";
import { fileErrorOf } from "../../sqlite/file-error.ts";
import { memoryFiles, openFile, openInMemory } from "../../sqlite/open-file.ts";
import type { AmendmentPorts } from "./list-amendments.ts";
import type { Recorded } from "./observations.ts";
import { hasObservations, observationsKind } from "./schema.ts";
import * as store from "./store.ts";
import { damageIn, type Tables, tablesIn } from "./tables.ts";
import type { HistoryTeam, TeamHistory } from "./team-history.ts";

export interface PastList {
  readonly supplier: string;
  readonly at: number;
  readonly body: Uint8Array;
}

export type ObservationsPlace =
  | { readonly folder: string }
  | { readonly pastLists: () => Promise<readonly PastList[]> };

type ClockJudge = Pick<Service, "trustedNow" | "wrongByMs">;

export interface CommonOptions {
  readonly origin: string;
  readonly clock: Clock;
  readonly judge?: ClockJudge | undefined;
  /** The team that shares the lists, or null. It is not used if recording is off. */
  readonly team?: HistoryTeam | null | undefined;
}

export interface LazyObservationsOptions extends CommonOptions {
  readonly place: ObservationsPlace;
  readonly recording: () => Promise<Recording>;
  readonly onRecorded?: (supplier: string, recorded: Recorded) => void;
}

interface Unstored {
  /** The newest stored observation that the lists in memory follow. */
  readonly seq: number | null;
  readonly isContinued: boolean;
  readonly hasHistory: boolean;
}

/** Records the lists that opening finds: those of a team, and those from before. */
interface Recorder {
  ofTeam: AmendmentPorts["record"];
  past(list: PastList): Promise<void>;
}

const noJudge: ClockJudge = { trustedNow: () => null, wrongByMs: () => 0 };
const firstIdInMemory = 1_000_000_000;

/** The tables of the observations, and the reason why nothing is stored if there is one. */
export class ObservationFiles {
  readonly options: LazyObservationsOptions;
  readonly judge: ClockJudge;
  readonly life = new AbortController();
  readonly unstored = new Map<string, Unstored>();
  readonly #isEager: boolean;
  readonly #recorder: Recorder;
  #opening: Promise<void> | null = null;
  #file: Tables | null = null;
  #memory: Tables | null = null;
  #unreadable: unknown = null;
  #problem: unknown = null;
  #recording: Recording = { isRecording: false, problem: null };
  #isClosed = false;
  readonly #running = new Set<Promise<unknown>>();
  #team: TeamHistory | null = null;

  constructor(options: LazyObservationsOptions, isEager: boolean, recorder: Recorder) {
    this.options = options;
    this.judge = options.judge ?? noJudge;
    this.#isEager = isEager;
    this.#recorder = recorder;
  }

  get team(): TeamHistory | null {
    return this.#team;
  }

  /** The opening that has begun, or null. */
  get opening(): Promise<void> | null {
    return this.#opening;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when the file is open, or {@link problem} says why it is not. */
  opened(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("The observations are closed."));
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<void> {
    const { place } = this.options;
    this.#recording = await this.options.recording();
    const { isRecording } = this.#recording;
    const isUsed =
      "folder" in place && (this.#isEager || isRecording || hasObservations(place.folder));
    try {
      const file = await (isUsed
        ? openFile(place.folder, observationsKind)
        : openInMemory(observationsKind));
      file.database.exec(`PRAGMA busy_timeout = 0; PRAGMA wal_autocheckpoint = 256;
        PRAGMA journal_size_limit = 1048576;`);
      if (file.mode === "wal") file.database.exec("PRAGMA synchronous = NORMAL");
      this.#file = tablesIn(file);
      await this.#openTeam();
    } catch (error) {
      this.#unreadable = this.#problem = fileErrorOf(error, this.path(), observationsKind) ?? error;
    }
    if ("folder" in place || !isRecording) return;
    for (const list of await place.pastLists().catch(() => [])) await this.#recorder.past(list);
  }

  async #openTeam(): Promise<void> {
    const { team, place, origin, clock } = this.options;
    if (!team || !("folder" in place) || !this.#recording.isRecording) return;
    const driver = await team.load().catch((error: unknown) => {
      team.onAway?.(error);
      return null;
    });
    if (driver === null) return;
    const { TeamHistory } = await import("./team-history.ts");
    this.#team = new TeamHistory(team, driver, {
      origin,
      clock,
      tables: () => this.readable(),
      record: (supplier, own, at) => this.#recorder.ofTeam(supplier, own, at),
    });
  }

  /** The tables in memory. Their IDs are apart from those of the file, whose rows are copied. */
  async inMemory(): Promise<Tables> {
    if (this.#memory === null) {
      const open = await memoryFiles(observationsKind);
      const tables = tablesIn(open());
      this.#memory ??= tables;
      await this.#memory.commit((rows) =>
        rows.number("SELECT count(*) FROM sqlite_sequence WHERE name = 'list'") === 0
          ? rows.insert("sqlite_sequence", { name: "list", seq: firstIdInMemory })
          : 0,
      );
    }
    return this.#memory;
  }

  problem(): string | null {
    if (this.#recording.problem !== null) return this.#recording.problem;
    const problem = this.#problem;
    if (!this.#recording.isRecording || !(problem instanceof Error)) return null;
    return isAppError(problem) ? errorLine(problem, { doing: "recording" }) : problem.message;
  }

  /** Keeps the first problem. After it, nothing is stored. */
  failed(error: unknown): void {
    if (this.#opening !== null) this.#problem ??= error;
  }

  now(): number {
    return this.options.clock.now() - this.judge.wrongByMs();
  }

  isOff(): boolean {
    return !this.#recording.isRecording || this.#problem !== null || this.#isClosed;
  }

  /**
   * True while nothing is stored and nothing was recorded: then no file is made by reading. With a team,
   * there can be something to read.
   */
  isEmpty(): boolean {
    const { place, team } = this.options;
    return !team && this.#opening === null && "folder" in place && !hasObservations(place.folder);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw this.#problem ?? new Error("The observations are closed.");
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  readable(): Tables {
    if (this.#file === null) throw this.#unreadable ?? new Error("The observations are closed.");
    return this.#file;
  }

  isFile(tables: Tables): boolean {
    return tables === this.#file;
  }

  seqInFile(supplier: string): number | null {
    try {
      return (
        this.readable().read((rows) => store.storedList(rows, this.options.origin, supplier))
          ?.seq ?? null
      );
    } catch {
      return null;
    }
  }

  /** Returns the lists that were not stored, or null once another process has stored one. */
  async unstoredOf(supplier: string): Promise<Unstored | null> {
    const known = this.unstored.get(supplier) ?? null;
    if (known === null || known.seq === this.seqInFile(supplier)) return known;
    this.unstored.delete(supplier);
    const memory = await this.inMemory();
    const { origin } = this.options;
    await memory.commit((rows) =>
      rows.run("DELETE FROM list WHERE origin = ? AND supplier = ?", origin, supplier),
    );
    return null;
  }

  path(): string {
    const { place } = this.options;
    return "folder" in place ? join(place.folder, observationsKind.file) : "memory";
  }

  asFileError(error: unknown): unknown {
    return fileErrorOf(damageIn(error), this.path(), observationsKind) ?? error;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.life.abort();
    await Promise.allSettled(this.#running);
    this.#file?.close();
    this.#memory?.close();
  }
}
