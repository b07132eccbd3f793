import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { Clock } from "../api/clock.ts";
import type { Tone } from "../theme.tsx";
import { createStore, type Store, useStore } from "./store.ts";

/** One short sentence above the footer that goes away by itself. */
export interface Notice {
  readonly text: string;
  readonly tone: Tone;
}

export interface Notices {
  show(text: string, tone?: Tone): void;
  readonly current: Store<Notice | null>;
}

/** How long a notice stays, in milliseconds: long enough to be read over a slow link. */
const noticeMs = 6_000;

const NoticeContext = createContext<Notices | null>(null);

/** Keeps the notice of the moment. */
export function NoticeProvider(props: { readonly clock: Clock; readonly children: ReactNode }) {
  const notices = useMemo<Notices>(() => {
    const current = createStore<Notice | null>(null);
    return {
      current,
      show(text, tone = "plain") {
        const notice: Notice = { text, tone };
        current.set(notice);
        props.clock.sleep(noticeMs).then(() => {
          if (current.get() === notice) current.set(null);
        });
      },
    };
  }, [props.clock]);
  return <NoticeContext value={notices}>{props.children}</NoticeContext>;
}

/** Where to say a short sentence. */
export function useNotices(): Notices {
  const notices = useContext(NoticeContext);
  if (!notices) throw new Error("useNotices needs a NoticeProvider above it");
  return notices;
}

/** The notice shown now, or null. */
export function useNotice(): Notice | null {
  return useStore(useNotices().current);
}
