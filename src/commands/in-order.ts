/**
 * Does work for each item, several at a time, and hands over the results in the items' order, each
 * as soon as it and all before it are there. The work has to catch what may fail for one item; a
 * rejection ends it all.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, void> {
  const waiting: Promise<R>[] = [];
  let next = 0;
  while (next < items.length || waiting.length > 0) {
    while (next < items.length && waiting.length < atOnce) {
      const promise = work(items[next++] as T);
      // It is awaited in its turn; until then a rejection is not an unhandled one.
      promise.catch(() => {});
      waiting.push(promise);
    }
    const first = waiting.shift();
    if (first !== undefined) yield await first;
  }
}
