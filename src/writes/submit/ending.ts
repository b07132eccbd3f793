/** What is in flight when the program has to end has so long to be answered, in milliseconds. */
export const settleOnEndMs = 800;

/**
 * The reason of a signal that is aborted because the program ends: nothing new begins, and requests
 * whose headers have left wait up to `settleMs` for their answers. Any other reason cuts them off at
 * once.
 */
export class Ending extends Error {
  readonly settleMs: number;

  constructor(message: string, settleMs: number) {
    super(message);
    this.name = "Ending";
    this.settleMs = settleMs;
  }
}

/** How long a request in flight may go on after its signal was aborted. */
export function settleAfter({ reason }: AbortSignal): number {
  return reason instanceof Ending ? reason.settleMs : 0;
}
