/** 4.8–4.11: account imports. */

import { notFound } from "../answers.ts";
import { pathPart, respond } from "../http.ts";
import { accountStatus } from "../rules/account-status.ts";
import type { Service } from "../service.ts";
import type { ListState } from "../world/rows.ts";
import { accountRows } from "../world/rows.ts";
import type { Mount } from "./mount.ts";

export function mountAccounts(mount: Mount, service: Service): void {
  mount("account-status", "GET", (context) => {
    const owner = {
      supplier: pathPart(context, "supplier"),
      identifier: pathPart(context, "account"),
    };
    return respond(accountStatus(service, owner));
  });
  const states: readonly ListState[] = ["all", "pending", "imported"];
  for (const state of states) {
    mount(state, "GET", (context) => {
      const supplier = service.suppliers.get(pathPart(context, "supplier"));
      if (supplier === undefined) return respond(notFound("No import supplier has this code."));
      const rows = accountRows(supplier.accounts, state, service.clock.now(), service.brand);
      return new Response(rows, { headers: { "content-type": "application/json" } });
    });
  }
}
