/** Watches the sandbox on behalf of a cell: keeps what came in, and lets time pass when it hangs. */
import type { ObservedRequest, Observer } from "../../src/sandbox/index.ts";
import type { Seen } from "../evidence.ts";

export interface Witness extends Observer {
  readonly seen: readonly Seen[];
  /** True while something that came in is under way at the service. */
  isBusy(): boolean;
  /** Resolves when nothing that came in is still under way at the service. */
  quiet(): Promise<void>;
}

/** Milliseconds for which a request hangs before time passes again, if no one gives it up. */
const patienceMs = 250;

/** The token call has a deadline of its own, behind that of the write that asked for it. */
const tokenPatienceMs = 80;

/** `expire` is called once for each request that is left to hang, after it could do its work. */
export function witness(expire: () => void): Witness {
  const seen: (ObservedRequest & { answered: number | null })[] = [];
  const open = new Set<number>();
  let waiting: (() => void)[] = [];
  const hang = (arrival: ObservedRequest, after: number) => {
    setTimeout(() => {
      if (!open.has(arrival.n)) return;
      expire();
      hang(arrival, arrival.endpoint === "token" ? tokenPatienceMs : patienceMs);
    }, after);
  };
  return {
    seen,
    isBusy: () => open.size > 0,
    arrived: (arrival) => {
      seen.push({ ...arrival, answered: null });
      open.add(arrival.n);
      if (arrival.fault?.startsWith("hang")) hang(arrival, 1);
    },
    ended: (n, status) => {
      open.delete(n);
      const arrival = seen[n - 1];
      if (arrival !== undefined) arrival.answered = status;
      if (open.size > 0) return;
      for (const wake of waiting) wake();
      waiting = [];
    },
    quiet: () =>
      open.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
  };
}
