import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { PlainPage } from './plain-page.tsx';
import { ScreenHeading } from './screen-heading.tsx';

type Props = { children: ReactNode };

/** Replaces a screen whose code did not load or that threw while rendering, and offers to reload the page. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <PlainPage>
        <Notice role="alert">
          <ScreenHeading title="Page not shown">This page could not be shown.</ScreenHeading>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </Notice>
      </PlainPage>
    );
  }
}
