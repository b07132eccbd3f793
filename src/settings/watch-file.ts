import * as z from "zod";
import { isRecord } from "./json-record.ts";
import { type Kept, keptFile } from "./kept-file.ts";

const watchedSchema = z.object({
  kind: z.enum(["account", "supply-point"]),
  supplier: z.string().min(1),
  number: z.string().min(1),
  addedAt: z.number(),
  timeline: z.array(
    z.object({ state: z.string(), firstSeenAt: z.number(), lastSeenAt: z.number() }),
  ),
});

/** Something watched, and what was seen of it. Times are epoch milliseconds. */
export type KeptWatched = z.infer<typeof watchedSchema>;

/** The watch list of one profile at one service. */
export interface WatchFile {
  readonly path: string;
  /** Throws SettingsError `exposed` and `corrupt`. */
  read(): readonly KeptWatched[];
  /**
   * Replaces the list by what `patch` makes of it as it is then, and gives that back; the same array
   * changes nothing. Throws what `read` throws, and `unwritable`; the file is then as it was.
   */
  change(patch: (kept: readonly KeptWatched[]) => readonly KeptWatched[]): readonly KeptWatched[];
}

/**
 * The watch lists, in `watch.json` in the state folder, for its owner alone. A profile that leads to
 * another service has another list: a number means nothing there. Entries that cannot be read are
 * left out, and left alone in the file.
 */
export function openWatchFile(options: {
  readonly stateDir: string;
  readonly profile: string;
  /** Tells apart the services one profile may have led to. */
  readonly service: string;
}): WatchFile {
  const file = keptFile(options.stateDir, "watch");
  const key = JSON.stringify([options.profile, options.service]);
  const listIn = (kept: Kept): readonly unknown[] => {
    const { lists } = kept;
    const list = isRecord(lists) ? lists[key] : undefined;
    return Array.isArray(list) ? list : [];
  };
  return {
    path: file.path,
    read: () => readable(listIn(file.read())),
    change(patch) {
      let after: readonly KeptWatched[] = [];
      file.change((kept) => {
        const all = listIn(kept);
        const before = readable(all);
        after = patch(before);
        if (after === before) return kept;
        const others = all.filter((one) => !watchedSchema.safeParse(one).success);
        const lists = isRecord(kept.lists) ? kept.lists : {};
        const { [key]: _, ...rest } = lists;
        const list = [...after, ...others];
        return { ...kept, lists: list.length === 0 ? rest : { ...rest, [key]: list } };
      });
      return after;
    },
  };
}

function readable(list: readonly unknown[]): readonly KeptWatched[] {
  return list.flatMap((one) => {
    const read = watchedSchema.safeParse(one);
    return read.success ? [read.data] : [];
  });
}
