import { Component, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { ScreenHeading } from '../components/screen-heading.tsx';
import { connectionProblem } from '../components/with-reason.ts';
import { ChunkLoadError } from './lazy-screen.tsx';

type Props = { children: ReactNode };
type State = { failure?: { error: unknown } };

const reload = () => window.location.reload();

/** Reloads the page when the device is online again, while this element is on the page. */
const reloadWhenOnline = () => {
  window.addEventListener('online', reload);
  return () => window.removeEventListener('online', reload);
};

/** Replaces a screen whose code did not load, or that threw while rendering, and offers to reload the page. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override render() {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    return (
      <main id="content" className="page">
        <Notice role="alert">
          <ScreenHeading title="Page not shown">This page could not be shown.</ScreenHeading>
          {failure.error instanceof ChunkLoadError && <p ref={reloadWhenOnline}>{connectionProblem()}</p>}
          <Button onClick={reload}>Reload</Button>
        </Notice>
      </main>
    );
  }
}
