/**
 * Signs within a line of the linear screen that say what the line is; they are taken out before it is
 * printed. They are noncharacters, which the gate for untrusted text never lets through, so no text
 * from elsewhere can pass for one.
 */
export const linearSigns = {
  /** The line that is being typed into. */
  typed: "\ufdd0",
  /** The line the cursor is on. */
  current: "\ufdd1",
} as const;
