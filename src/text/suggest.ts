/** Suggests the word that the user probably meant by a mistyped word. */

/** Returns the number of edits between two words: insert, delete, replace, or swap of neighbors. */
function distance(a: string, b: string): number {
  const width = b.length + 1;
  let rowBefore: number[] = [];
  let previousRow = Array.from({ length: width }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column < width; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (previousRow[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previousRow[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (row > 1 && column > 1 && swapped) best = Math.min(best, (rowBefore[column - 2] ?? 0) + 1);
      current.push(best);
    }
    rowBefore = previousRow;
    previousRow = current;
  }
  return previousRow[b.length] ?? 0;
}

const maxLength = 64;

/**
 * Returns the candidate that is closest to a mistyped word, or null if none is close. A candidate is
 * close if it differs in at most one of three letters, or if it is the only candidate that begins
 * with the word. Case does not matter.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const typed = word.toLowerCase();
  if (typed === "" || typed.length > maxLength) return null;
  let best: string | null = null;
  let limit = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate.length > maxLength) continue;
    const edits = distance(typed, candidate.toLowerCase());
    // If the number of edits could reach the number of letters, any word would be close.
    if (edits < limit && edits < Math.max(typed.length, candidate.length)) {
      best = candidate;
      limit = edits;
    }
  }
  if (best !== null) return best;
  const beginning = candidates.filter((candidate) => candidate.toLowerCase().startsWith(typed));
  return beginning.length === 1 ? (beginning[0] ?? null) : null;
}
