import type { ReactNode } from 'react';

/** A short centred message in place of content, and usually a button or a link. */
export const Notice = ({ children, role }: { children: ReactNode; role?: 'alert' | 'status' }) => (
  <div className="middle notice" role={role}>
    {children}
  </div>
);

/** The message about a failure, beside its fields or its button. Screen readers announce it at once. */
export const Problem = ({ text }: { text: string | false | null }) =>
  text && (
    <p className="problem" role="alert">
      {text}
    </p>
  );
