import { isRecord } from "../json/exact.ts";
import { type JsonFileContent, jsonFile } from "./json-file.ts";

/** What was used lately, newest first. */
export interface History {
  /** Places by profile and service, as the palette takes them. */
  readonly places: Readonly<Record<string, readonly string[]>>;
  /** What lists were filtered by, by kind of list. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Absolute paths of the files that were written or checked. */
  readonly files: readonly string[];
  /** Actions run from the palette, by id. */
  readonly actions: readonly string[];
  /** The step the tour stands at; null where it was never begun. */
  readonly tour: number | null;
}

export const noHistory: History = Object.freeze({
  places: {},
  filters: {},
  files: [],
  actions: [],
  tour: null,
});

/** The history of this machine's user, shared by consoles that run at the same time. */
interface HistoryFile {
  /** Throws a settings error `exposed` and `corrupt`. */
  read(): History;
  /** Changes what the file holds then. Throws what `read` throws, and `unwritable`. */
  change(patch: (history: History) => History): void;
}

/** The history, in `history.json` in the state folder, for its owner alone. */
export function openHistoryFile(stateDir: string): HistoryFile {
  const file = jsonFile(stateDir, "history");
  return {
    read: () => historyIn(file.read()),
    change(patch) {
      file.change((kept) => ({ ...kept, ...patch(historyIn(kept)) }));
    },
  };
}

/** The newest entries of a list are read, up to this number, and none that is longer. */
const mostEntries = 50;
const longestEntry = 2_000;

/** Unreadable parts count as empty. */
function historyIn({ places, filters, files, actions, tour }: JsonFileContent): History {
  return {
    places: lists(places),
    filters: lists(filters),
    files: list(files),
    actions: list(actions),
    tour: typeof tour === "number" && Number.isInteger(tour) && tour >= 0 ? tour : null,
  };
}

function lists(value: unknown): History["places"] {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, kept]) => [key, list(kept)]));
}

function list(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, mostEntries)
    .filter((one) => typeof one === "string" && one.length <= longestEntry);
}
