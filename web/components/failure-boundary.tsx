import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type Props = { children: ReactNode };

/** Stands in for a screen that could not be shown, whether its code did not arrive or it broke. */
export class FailureBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Notice role="alert">
        <p>This page could not be shown.</p>
        <Button onClick={() => window.location.reload()}>Reload</Button>
      </Notice>
    );
  }
}
