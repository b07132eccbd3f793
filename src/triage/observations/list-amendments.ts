/**
 * Changes what the team's sequence knows of accounts: with the lists and dates of a machine that was apart, and
 * when accounts are forgotten. Calls reject with a team error.
 */
import { runSliced, type Sliced } from "../../accounts/slices.ts";
import type { SharedRow } from "../../writes/team/memory.ts";
import { type Accounts, State } from "./accounts.ts";
import { applyDates, datesAsBytes, earlierDates } from "./earlier-dates.ts";
import { type ExchangePorts, type ListExchange, listIn, maxTries } from "./list-exchange.ts";
import type { ListComparison } from "./observations.ts";
import { packed } from "./packing.ts";
import { departedRetentionMs } from "./retention.ts";
import { sharedFrom } from "./shared-rows.ts";
import type { ListPlace } from "./shared-store.ts";
import * as shared from "./shared-store.ts";
import { type AsideKind, accountsOf, asideKinds, asideOrigin, type StoredList } from "./store.ts";

export interface AmendmentPorts extends ExchangePorts {
  /** Records the last list of `own`, of the time `at`, as if it arrived now. */
  readonly record: (supplier: string, own: Accounts, at: number) => Promise<ListComparison>;
  /** Lists of this machine were left out, because others have recorded later ones. */
  readonly onDropped: ((supplier: string, lists: number) => void) | undefined;
}

/** The facts of accounts that an observation without a list changes. */
interface Amendment extends Partial<Pick<SharedRow, "pendingSince" | "dates" | "forgetBefore">> {
  readonly firstAt?: number;
}

export class ListAmendments {
  readonly #exchange: ListExchange;
  readonly #ports: AmendmentPorts;

  constructor(exchange: ListExchange, ports: AmendmentPorts) {
    this.#exchange = exchange;
    this.#ports = ports;
  }

  /** Compares the lists that were set apart with the team's. Returns true if there were any. */
  async settle(place: ListPlace): Promise<boolean> {
    let isSettled = false;
    for (const kind of asideKinds) isSettled = (await this.#settleOne(place, kind)) || isSettled;
    return isSettled;
  }

  async #settleOne({ origin, supplier }: ListPlace, kind: AsideKind): Promise<boolean> {
    const place = this.#exchange.place(supplier);
    const { read, commit } = this.#ports.tables();
    const aside = asideOrigin(kind, origin);
    const {
      list,
      stored,
      own: lists,
    } = read((rows) => ({
      ...listIn(rows, { origin: aside, supplier }),
      own: rows.number(
        "SELECT observations FROM list WHERE origin = ? AND supplier = ?",
        aside,
        supplier,
      ),
    }));
    if (list === null) return false;
    const own = await accountsOf(stored);
    const { kind: end } = await this.#ports.record(supplier, own, list.lastAt);
    // Dates come after the list, so that its accounts are known.
    if (kind === "joined" && !(await this.#mergeDates(place, list, own))) return false;
    const dropped = kind === "own" ? Math.max(0, lists - (end === "late" ? 0 : 1)) : 0;
    await commit((rows) => {
      rows.run("DELETE FROM list WHERE id = ?", list.id);
      const known = shared.localList(rows, place, this.#exchange.ledger).mark?.dropped ?? 0;
      shared.changeMark(rows, place, this.#exchange.ledger, { dropped: known + dropped });
    });
    if (dropped > 0) this.#ports.onDropped?.(supplier, dropped);
    return true;
  }

  /** Publishes the dates that this machine knows earlier. Returns false if that is left for later. */
  #mergeDates(place: ListPlace, before: StoredList, own: Accounts): Promise<boolean> {
    return this.#amend(place, async ({ list, accounts }) => {
      const dates = await this.#slices(earlierDates(own, accounts));
      if (dates.rows.length === 0 && before.firstAt >= list.firstAt) return null;
      applyDates(accounts, dates);
      return {
        firstAt: Math.min(list.firstAt, before.firstAt),
        pendingSince: await this.#slices(pendingTimes(accounts)),
        dates: await packed(datesAsBytes(dates)),
      };
    });
  }

  /** Forgets accounts that left before a time, for the whole team. */
  async forget(supplier: string, before: number): Promise<void> {
    await this.#amend(this.#exchange.place(supplier), async ({ list, accounts }) => {
      const time = Math.min(before, list.lastAt - departedRetentionMs);
      return accounts.hasDeparted(time) ? { forgetBefore: time } : null;
    });
  }

  /**
   * Appends an observation without a list, which changes facts of accounts, unless `change` returns null.
   * Returns false if that is left for later.
   */
  async #amend(
    place: ListPlace,
    change: (known: {
      readonly list: StoredList;
      readonly accounts: Accounts;
    }) => Promise<Amendment | null>,
  ): Promise<boolean> {
    const { read, commit } = this.#ports.tables();
    for (let tries = 0; tries < maxTries; tries++) {
      const { stored, local, last } = read((rows) => {
        const found = shared.localList(rows, place, this.#exchange.ledger);
        return {
          ...{ local: found, stored: listIn(rows, place).stored },
          last: rows.get(
            "SELECT * FROM observation WHERE list = ? AND seq = ?",
            found.list?.id ?? 0,
            found.list?.seq ?? 0,
          ),
        };
      });
      const { list, mark, isAhead } = local;
      if (list === null || mark === null || isAhead || last === undefined) return false;
      const changed = await change({ list, accounts: await accountsOf(stored) });
      if (changed === null) return true;
      const { firstAt = list.firstAt, ...more } = changed;
      const facts = sharedFrom(last);
      const row: SharedRow = {
        ...facts,
        number: mark.number + 1,
        entries: 0,
        facts: facts.facts.map((figure, at) => (at > 6 ? 0 : figure)),
        ...{ moves: null, contents: null, dates: null, forgetBefore: null },
        ...more,
      };
      const lists = await this.#ports.lists();
      const machines = await lists.append(place.supplier, mark, [row], { firstAt });
      if (machines === null) {
        await this.#exchange.pull(place);
        continue;
      }
      const observations = read((rows) =>
        rows.number("SELECT observations + 1 FROM list WHERE id = ?", list.id),
      );
      const rows = [{ ...row, ...this.#ports.driver.names }];
      const page = {
        newest: row,
        firstAt,
        observations,
        machines,
        snapshot: null,
        rows,
        held: null,
      };
      await commit((of) => {
        const now = shared.localList(of, place, this.#exchange.ledger);
        if (now.list?.id === list.id && now.list.seq === list.seq)
          shared.followRows(of, place, this.#exchange.ledger, page);
      });
      return true;
    }
    return false;
  }

  #slices<T>(work: Generator<void, T, void>): Promise<T> {
    return runSliced(work, this.#ports.life);
  }
}

/** Returns the number of pending accounts by the time since when they are. */
function* pendingTimes(accounts: Accounts): Sliced<readonly (readonly [number, number])[]> {
  const counts = new Map<number, number>();
  for (let row = 0; row < accounts.rows; row++) {
    if (row % 16_384 === 0) yield;
    if (accounts.state(row) !== State.pending) continue;
    const since = accounts.times.pendingSince.at(row);
    counts.set(since, (counts.get(since) ?? 0) + 1);
  }
  return [...counts];
}
