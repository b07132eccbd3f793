import { ServiceError } from "../../../src/api/errors.ts";
import type { AccountStatus, ReadResult, Service } from "../../../src/api/service.ts";
import { GoneCounter } from "../../../src/triage/figures/gone.ts";
import type { Budget } from "../../../src/watch/budget.ts";

const never = new AbortController().signal;
const noLimit: Budget = {
  spend: (check, signal) => check(signal),
};

/** A counter over a service that answers each account as `says` does; `asked` are the accounts. */
function counting(says: (account: string) => string) {
  const asked: string[] = [];
  let time = 0;
  const accounts: Pick<Service["accounts"], "status"> = {
    async status(_supplier, account): Promise<ReadResult<AccountStatus>> {
      asked.push(account);
      const status = says(account);
      if (status === "404") throw new ServiceError("not-found", "no such account");
      if (status === "500") throw new ServiceError("unavailable", "could not answer");
      return {
        value: { status, service_account_number: "" },
        raw: "",
        httpStatus: 200,
        receivedAt: time,
      };
    },
  };
  const counter = new GoneCounter({
    service: { accounts: { ...accounts, list: () => Promise.reject(new Error("not asked")) } },
    budget: noLimit,
    now: () => time,
  });
  return {
    counter,
    asked,
    wait: (ms: number) => {
      time += ms;
    },
  };
}

const gone = (...accounts: string[]) => accounts.map((external) => ({ external, goneAt: 1 }));

test("accounts that are in progress or completed are not gone; one that cannot be asked for is", async () => {
  const says: Record<string, string> = {
    A: "UNKNOWN",
    B: "IN_PROGRESS",
    C: "COMPLETED",
    D: "404",
    E: "500",
    F: "NEW_STATUS",
  };
  const { counter } = counting((account) => says[account] ?? "");
  expect(await counter.count("ACME", gone("A", "B", "C", "D", "E", "F"), never)).toMatchObject({
    count: 4,
    atLeast: false,
  });
});

test("of more than two hundred the number is a lower bound", async () => {
  const { counter, asked } = counting(() => "UNKNOWN");
  const many = Array.from({ length: 201 }, (_, at) => `E${at}`);
  expect(await counter.count("ACME", gone(...many), never)).toMatchObject({
    count: 200,
    atLeast: true,
  });
  expect(asked).toHaveLength(200);
  expect(await counter.count("ACME", gone(...many.slice(0, 200)), never)).toMatchObject({
    count: 200,
    atLeast: false,
  });
});

test("a verdict is remembered for a while, one about an import in progress for a minute", async () => {
  const says: Record<string, string> = { A: "UNKNOWN", B: "IN_PROGRESS", C: "COMPLETED", D: "500" };
  const { counter, asked, wait } = counting((account) => says[account] ?? "");
  const count = () => counter.count("ACME", gone("A", "B", "C", "D"), never);
  await count();
  asked.length = 0;
  await count();
  expect(asked).toEqual(["D"]);
  asked.length = 0;
  wait(61_000);
  says.B = "UNKNOWN";
  expect(await count()).toMatchObject({ count: 3, atLeast: false });
  expect(asked).toEqual(["B", "D"]);
  asked.length = 0;
  wait(601_000);
  await count();
  expect(asked).toEqual(["A", "B", "D"]);
});

test("counting ends when it is canceled", async () => {
  const { counter } = counting(() => "UNKNOWN");
  const stop = new AbortController();
  stop.abort(new Error("left"));
  await expect(counter.count("ACME", gone("A"), stop.signal)).rejects.toThrow("left");
});

test("a count names the five that left last, without those in progress", async () => {
  const { counter } = counting((account) => (account === "E6" ? "IN_PROGRESS" : "UNKNOWN"));
  const many = Array.from({ length: 8 }, (_, at) => ({ external: `E${at}`, goneAt: at }));
  const { latest } = await counter.count("ACME", many, never);
  expect(latest?.map(({ external }) => external)).toEqual(["E7", "E5", "E4", "E3", "E2"]);
});
