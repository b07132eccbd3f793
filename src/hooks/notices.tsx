import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
} from "react";
import type { Clock } from "../api/clock.ts";
import { createStore, type Store } from "../session/store.ts";
import type { Tone } from "../theme.tsx";
import { useStore } from "./store.ts";

/** One short sentence above the footer that goes away after a while, or when it is over. */
interface Notice {
  readonly text: string;
  readonly tone: Tone;
  /** Of the program rather than of the screen that it was shown on. */
  readonly lasting: boolean;
  /** How many keys had been pressed when it was shown. */
  readonly keys: number;
}

/** Takes a notice away before its time; does nothing once another one is shown. */
export type EndNotice = () => void;

export interface Notices {
  /** Says something about the screen on top: it goes when another screen comes. */
  show(text: string, tone?: Tone): EndNotice;
  /** Says something that happened in the background: it stays whatever screen comes. */
  announce(text: string, tone?: Tone): EndNotice;
  /** A key is pressed; what it shows belongs to the screen that it leads to. */
  keyPressed(): void;
  /** Another screen is on top: what was said before the key that led there is over. */
  screenChanged(): void;
  readonly current: Store<Notice | null>;
}

/** How long a notice stays, in milliseconds: long enough to be read over a slow link. */
const noticeMs = 6_000;

const NoticeContext = createContext<Notices | null>(null);

/** Holds the current notice. */
export function NoticeProvider(props: { readonly clock: Clock; readonly children: ReactNode }) {
  const notices = useMemo(() => createNotices(props.clock), [props.clock]);
  return <NoticeContext value={notices}>{props.children}</NoticeContext>;
}

/** Notices whose time runs on this clock. */
export function createNotices(clock: Clock): Notices {
  const current = createStore<Notice | null>(null);
  let keys = 0;
  const put = (text: string, tone: Tone, lasting: boolean): EndNotice => {
    const notice: Notice = { text, tone, lasting, keys };
    const end = () => {
      if (current.get() === notice) current.set(null);
    };
    current.set(notice);
    void clock.sleep(noticeMs).then(end);
    return end;
  };
  return {
    current,
    show: (text, tone = "plain") => put(text, tone, false),
    announce: (text, tone = "plain") => put(text, tone, true),
    keyPressed() {
      keys++;
    },
    screenChanged() {
      const notice = current.get();
      if (notice !== null && !notice.lasting && notice.keys < keys) current.set(null);
    },
  };
}

/** Where to say a short sentence. */
export function useNotices(): Notices {
  const notices = useContext(NoticeContext);
  if (!notices) throw new Error("useNotices needs a NoticeProvider above it");
  return notices;
}

/** Says something that is true only while `holds`: it goes as soon as that ends. */
export function useNoticeWhile(holds: boolean): Notices["show"] {
  const notices = useNotices();
  const end = useRef<EndNotice>(() => {});
  useEffect(() => {
    if (!holds) end.current();
  }, [holds]);
  return useCallback(
    (text, tone) => {
      end.current = notices.show(text, tone);
      return end.current;
    },
    [notices],
  );
}

/** The notice shown now, or null. */
export function useNotice(): Notice | null {
  return useStore(useNotices().current);
}
