import type { ReactNode } from 'react';

/** `isCalling`: it waits for the owner. `isOpen`: something is left to do. */
type TagProps = { isCalling?: boolean; isOpen?: boolean; children: ReactNode };

/** The state of something, in a word. */
export const Tag = ({ isCalling, isOpen, children }: TagProps) => (
  <span className={`tag ${isCalling ? 'calling' : ''} ${isOpen ? 'open' : ''}`}>{children}</span>
);
