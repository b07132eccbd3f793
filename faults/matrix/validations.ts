/** The cells of the validation (INTERFACE 4.5). */
import { isServiceError } from "../../src/api/errors.ts";
import { validateSupplyPoint } from "../../src/writes/validate.ts";
import type { Violation } from "../invariants/invariant.ts";
import { openService } from "../service-client.ts";
import { bodyOf } from "../writes.ts";
import { type CellResult, distinct, type Stage, timeoutMs } from "./cell-stage.ts";
import { faultNamed } from "./plan.ts";

/** A validation has no effect and is not journalled; it may be sent again whatever happened. */
export async function validations(stage: Stage): Promise<CellResult> {
  const { cell, sandbox, watch, clock } = stage;
  const fault = faultNamed(cell.fault);
  const violations: Violation[] = [];
  const outcomes: Record<string, number> = {};
  let shut = 0;
  let service = openService(sandbox.baseUrl, sandbox.apiKey, clock);
  for (let n = 0; n < cell.writes; n++) {
    if (fault.freshConnections === true) {
      await service.close();
      service = openService(sandbox.baseUrl, sandbox.apiKey, clock);
    }
    const closed = fault.closesPort === true && (cell.seed + n) % 2 === 1;
    if (closed) {
      shut += 1;
      await sandbox.setListening(false);
    }
    const from = watch.seen.length;
    const body = new TextEncoder().encode(JSON.stringify(bodyOf("supply points", "", `SP-${n}`)));
    const context = { service, clock, random: () => 0.5 };
    const options = { signal: new AbortController().signal, timeoutMs };
    const outcome = await validateSupplyPoint(context, body, options).then(
      () => "validated",
      (error: unknown) => (isServiceError(error) ? "failed" : "thrown"),
    );
    if (closed) await sandbox.setListening(true);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const sent = watch.seen.slice(from).filter(({ endpoint }) => endpoint === cell.endpoint);
    const last = sent.at(-1);
    const heard = last?.fault === null && last.answered === 200;
    const add = (invariant: string, what: string) => violations.push({ invariant, what });
    if (heard !== (outcome === "validated") && last?.fault === null) {
      add("heard is confirmed", `validation ${n} was answered ${last.answered} and is ${outcome}`);
    }
    if (outcome === "thrown")
      add("heard is confirmed", `validation ${n} failed by a fault of ours`);
    const resent = sent.filter(({ answered }) => answered !== 401 && answered !== 429).length;
    if (resent > 4) add("resends are few", `validation ${n} was sent ${sent.length} times`);
  }
  await watch.quiet();
  await service.close();
  const tookEffect = sandbox.ledger().length;
  if (tookEffect > 0)
    violations.push({ invariant: "one effect", what: `${tookEffect} effects of validations` });
  const injected = shut + watch.seen.filter(({ fault: name }) => name !== null).length;
  return {
    cell,
    writes: cell.writes,
    injected,
    outcomes,
    violations: distinct(violations),
    recoveryMs: 0,
  };
}
