/**
 * The programs of the user that were sent SIGTERM and still run, each with a function that kills it.
 * This process can end before the time for their end is over.
 */
export const stoppingPrograms = new Set<() => void>();

export function killStoppingPrograms(): void {
  for (const kill of stoppingPrograms) kill();
}
