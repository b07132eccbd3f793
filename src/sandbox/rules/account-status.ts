/** The status of one account import (4.8). */
import type { Answer } from "../answers.ts";
import { notFound } from "../answers.ts";
import type { Service } from "../service.ts";
import type { Owner } from "../store/store.ts";
import { stories } from "../world/stories.ts";

const watchable = new Set(
  stories.filter(({ from }) => from === "first look").map(({ account }) => account),
);

export function accountStatus(service: Service, owner: Owner): Answer {
  const { store, clock, brand } = service;
  const world = service.suppliers.get(owner.supplier)?.accounts;
  const row = world?.rowOf(owner.identifier);
  if (world === undefined || row === undefined) {
    return notFound("No account of this import supplier has this external account number.");
  }
  const lookedFor = owner.supplier === "ACME" && watchable.has(owner.identifier);
  if (lookedFor && store.find("first-look", owner, "").length === 0) {
    store.add("first-look", owner, "", clock.now());
  }
  const status = world.status(row, clock.now());
  const number = status === "COMPLETED" ? world.serviceNumber(row) : "";
  return { status: 200, body: { status, [`${brand}_account_number`]: number } };
}
