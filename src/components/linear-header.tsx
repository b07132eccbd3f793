import type { Piece } from "./text.tsx";
import { Line } from "./text.tsx";

/** Where we are, and on a line of its own what must never be out of sight, in words. */
export function LinearHeader(props: {
  readonly trail: readonly string[];
  readonly profile: string | null;
  readonly environment: string | null;
  /** What else is to be known: the link, the lock, the age of what is shown. */
  readonly states: readonly string[];
}) {
  const { profile, environment } = props;
  const pieces: Piece[] = [{ text: props.trail.join(" > "), tone: "title" }];
  const where =
    profile === null
      ? []
      : [
          `Profile ${profile}${environment === null || environment === profile ? "" : `, ${environment === "production" ? "PRODUCTION" : environment}`}`,
        ];
  const states = [...where, ...props.states];
  return (
    <>
      <Line pieces={pieces} />
      {states.length === 0 ? null : <Line pieces={[{ text: `${states.join(", ")}.` }]} />}
    </>
  );
}
