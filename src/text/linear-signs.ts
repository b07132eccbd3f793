/**
 * Signs that mark the kind of a line of the linear screen. They are removed before it is printed.
 * They are noncharacters, which untrusted text never contains after it is sanitized.
 */
export const linearSigns = {
  /** The line that is being typed into. */
  typed: "\ufdd0",
  /** The line the cursor is on. */
  current: "\ufdd1",
} as const;
