/** Files by path, each with the paths it imports. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * Circles between files, each as the way round (`a → b → a`, the first one repeated at the end).
 * Every import that closes a way back to where it came from gives one.
 */
export function circlesIn(graph: Graph): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];

  const walk = (file: string): void => {
    const at = way.indexOf(file);
    if (at !== -1) {
      circles.push([...way.slice(at), file]);
      return;
    }
    if (done.has(file)) return;
    way.push(file);
    for (const next of graph.get(file) ?? []) walk(next);
    way.pop();
    done.add(file);
  };
  for (const file of graph.keys()) walk(file);
  return circles;
}
