import { operations } from "./operations.ts";
import { prepareWrite, type WriteRequest } from "./prepare.ts";

/**
 * A write of several items as requests of one item each, in order, so that the service answers for
 * every item alone; its numbers keep the digits they were written with. Throws WriteError `invalid`.
 */
export function splitWrite(request: WriteRequest): readonly WriteRequest[] {
  const { itemsField } = operations[request.operation];
  const { facts } = prepareWrite(request);
  if (itemsField === null || facts.items.length === 1) return [request];
  return facts.items.map((item) => {
    const body = JSON.stringify({ ...facts.payload, [itemsField]: [item] });
    return { ...request, body: new TextEncoder().encode(body) };
  });
}
