import type { Accounts } from "./accounts.ts";
import { accountsOf, nameOf, type Stored, type StoredList } from "./store.ts";

/** The accounts of a list as one observation left them, while something uses them. */
class Shared {
  /** See {@link nameOf}. */
  readonly name: string;
  /** True if a comparison has them, so that another one must read its own. */
  isTaken = false;
  #reading: Promise<Accounts> | null;
  #accounts: WeakRef<Accounts> | null = null;

  constructor(name: string, reading: Promise<Accounts>) {
    this.name = name;
    this.#reading = reading;
    const end = () => {
      this.#reading = null;
    };
    reading.then((accounts) => {
      this.#accounts = new WeakRef(accounts);
      end();
    }, end);
  }

  find(): Promise<Accounts> | null {
    const accounts = this.#accounts?.deref();
    return accounts === undefined ? this.#reading : Promise.resolve(accounts);
  }
}

/**
 * Shares the accounts of a list between their readers and the comparison with the next list: those of a
 * million accounts take some 50 MB and a tenth of a second. The last ones that were used stay in memory.
 */
export class SharedAccounts {
  readonly #shared = new Map<number, Shared>();
  #last: Promise<Accounts> | null = null;

  /**
   * Returns the accounts of a list, which do not change. Calls `stored` at once, in the transaction
   * that has read the list, if no one has them.
   */
  of(list: StoredList, stored: () => Stored): Promise<Accounts> {
    this.#last = this.#find(list)?.find() ?? this.#share(list, accountsOf(stored()));
    return this.#last;
  }

  /** Returns the accounts of a list for one comparison, which changes them. */
  async take(list: StoredList, stored: () => Stored): Promise<Accounts> {
    if (this.#find(list)?.isTaken) return accountsOf(stored());
    const accounts = this.of(list, stored);
    (this.#find(list) as Shared).isTaken = true;
    return (await accounts).next();
  }

  keep(list: StoredList, accounts: Accounts): void {
    this.#last = this.#share(list, Promise.resolve(accounts));
  }

  #share(list: StoredList, accounts: Promise<Accounts>): Promise<Accounts> {
    this.#shared.set(list.id, new Shared(nameOf(list), accounts));
    return accounts;
  }

  #find(list: StoredList): Shared | null {
    const shared = this.#shared.get(list.id);
    return shared?.name === nameOf(list) ? shared : null;
  }
}
