import { Component, type ReactNode } from "react";

/**
 * Draws nothing once its children have thrown, and hands on what was thrown. Ink itself would draw the
 * message, which can quote a body and stays on a linear screen.
 */
export class CrashBoundary extends Component<{
  readonly onCrash: (thrown: unknown) => void;
  readonly children: ReactNode;
}> {
  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override state = { hasCrashed: false };

  override componentDidCatch(thrown: unknown): void {
    this.props.onCrash(thrown);
  }

  override render(): ReactNode {
    return this.state.hasCrashed ? null : this.props.children;
  }
}
