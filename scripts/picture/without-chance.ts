import type { Cell, Grid } from "../../test/helpers/cell.ts";

/** In the place of the port that the system gave the sandbox, and as long. */
const port = "40117";
/** In the place of the random IDs of runs, in the order in which they come up. */
const runIds = ["r7k2qd", "rb4n8s", "r2m6xh", "rw9c3t"];

/**
 * Screens without what differs from run to run: the sandbox's port, the IDs of bulk runs and the number
 * of checks are the same in every picture, and as long, so that nothing moves.
 */
export function withoutChance(): (screen: Grid) => Grid {
  const known = new Map<string, string>();
  const runId = (drawn: string) => {
    const found = known.get(drawn) ?? runIds[known.size];
    if (found === undefined) throw new Error("more runs come up than there are ids for");
    known.set(drawn, found);
    return found;
  };
  const lineOf = (screen: Grid, row: number) =>
    Array.from({ length: screen.cols }, (_, col) => screen.cell(row, col).chars)
      // A character for each cell.
      .map((chars) => (chars.length === 1 ? chars : " "))
      .join("")
      .replace(/(?<= )\d(?= looks )/g, "3")
      .replace(/(?<=127\.0\.0\.1:)\d{5}\b/g, port)
      .replace(/(?<=^\W*|Run |run |Runs › |payments |transactions )r[a-z0-9]{5}(?= )/g, runId);
  return (screen) => {
    const lines = Array.from({ length: screen.rows }, (_, row) => lineOf(screen, row));
    return {
      cols: screen.cols,
      rows: screen.rows,
      cell: (row, col): Cell => {
        const cell = screen.cell(row, col);
        return cell.chars.length === 1 ? { ...cell, chars: lines[row]?.[col] ?? "" } : cell;
      },
    };
  };
}
