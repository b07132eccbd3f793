/** The rule of near numbers as it is written down, one pair after another. */
export function isNear(one: string, other: string): boolean {
  return form(one) === form(other) || edits(one, other) === 1;
}

function form(number: string): string {
  const withoutZeros = number.replace(/[0-9]+/g, (run) => run.replace(/^0+(?=.)/, ""));
  return withoutZeros
    .toLowerCase()
    .normalize("NFC")
    .replace(/[\s\-_‐‑]/g, "");
}

function edits(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  let above = b.map((_, at) => at + 1);
  above.unshift(0);
  let beforeAbove: readonly number[] = [];
  for (const [row, point] of a.entries()) {
    const current = [row + 1];
    for (const [column, next] of b.entries()) {
      const isSwap =
        row > 0 && column > 0 && point === b[column - 1] && next === a[row - 1] && point !== next;
      current.push(
        Math.min(
          (above[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          (above[column] ?? 0) + (point === next ? 0 : 1),
          isSwap ? (beforeAbove[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeAbove = above;
    above = current;
  }
  return above[b.length] ?? 0;
}
