import type { ReactNode } from 'react';

type TagProps = {
  /** One that waits for the owner. */
  isCalling?: boolean;
  /** One of which something is left to do, apart from those that call. */
  isOpen?: boolean;
  children: ReactNode;
};

/** The state of something, in a word. */
export const Tag = ({ isCalling = false, isOpen = false, children }: TagProps) => (
  <span className={`tag ${isCalling ? 'calling' : ''} ${isOpen ? 'open' : ''}`}>{children}</span>
);
