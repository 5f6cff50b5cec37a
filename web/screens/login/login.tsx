import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Redirect, useSearchParams } from 'wouter';
import { bookToReturnTo, isOnDesk, safeReturnTo } from '../../../contract/return-to.ts';
import { bookInLists, bookPreview } from '../../api/catalogue.ts';
import { useIsPainted } from '../../api/painted-screen.ts';
import { Button } from '../../components/button.tsx';
import { Cover, Tint } from '../../components/cover.tsx';
import { Notice } from '../../components/notice.tsx';
import { Price } from '../../components/price.tsx';
import { ScreenHeading } from '../../components/screen-heading.tsx';
import { useEntryState } from '../../memory/history.ts';
import { useSession } from '../../session/session.ts';
import { useSignIn } from '../../session/sign-in-popup.ts';
import { storeConfig } from '../../store-config.ts';
import styles from './login.module.css';

/** The sign-in screen. It redirects to the page that the visitor came from as soon as there is a session. */
export const Login = () => {
  const session = useSession();
  const [parameters] = useSearchParams();
  const state = useEntryState();
  // After a sign-in in this tab, the address has the target.
  const returnTo = safeReturnTo(state.returnTo ?? parameters.get('returnTo') ?? undefined);
  const { signIn, isAwaited } = useSignIn(returnTo);
  // Until the app runs, a click on the painted button would be lost.
  const isPainted = useIsPainted();
  const wantedBook = bookToReturnTo(returnTo);

  if (session.data?.email)
    return isOnDesk(returnTo) ? <Load address={returnTo} /> : <Redirect to={returnTo} replace />;
  const button = (
    <div className={styles.action}>
      <Button variant="primary" onClick={signIn} disabled={isPainted}>
        Continue with {storeConfig.providerName}
      </Button>
      <p role="status" className="soft">
        {isAwaited && (
          <>
            Continue in {storeConfig.providerName}’s window.
            <br /> Can’t see it? Press the button again.
          </>
        )}
      </p>
    </div>
  );
  return (
    <main id="content" className="page middle">
      {wantedBook === undefined ? (
        <Notice>
          <ScreenHeading title="Login">Come in</ScreenHeading>
          <p>{invitation}</p>
          {button}
        </Notice>
      ) : (
        <WantedBook id={wantedBook}>{button}</WantedBook>
      )}
    </main>
  );
};

const invitation = 'Sign in to buy a book, and to look back at the ones you have bought.';

/** Opens an address of the store that is a separate page. */
const Load = ({ address }: { address: string }) => {
  useEffect(() => window.location.replace(address), [address]);
  return null;
};

/** The login of a visitor who is about to buy a book: beside the button are its cover and its name. Nothing moves when they appear. */
const WantedBook = ({ id, children }: { id: string; children: ReactNode }) => {
  const queryClient = useQueryClient();
  const { data: book, isPending } = useQuery({
    ...bookPreview(id),
    // If home has shown a list with the book, the book is there at once. It stays when the fetch fails.
    initialData: () => bookInLists(queryClient, id),
    initialDataUpdatedAt: 0,
  });
  return (
    <div className={styles.layout}>
      <div className={`frame ${styles.cover}`}>
        {book && <Tint book={book} />}
        {book && <Cover book={book} isEager isFirst size="large" />}
      </div>
      <div className={styles.words}>
        <div className={`stack tight ${styles.wanted}`}>
          {!isPending && (
            <ScreenHeading title="Login" isQuiet>
              {book ? 'Sign in to buy' : 'Come in'}
            </ScreenHeading>
          )}
          {book && (
            <>
              <cite className={`clamp ${styles.title}`} dir="auto">
                {book.title}
              </cite>
              <p className="cut" dir="auto">
                {book.author}
              </p>
              <Price value={book.price.value} />
            </>
          )}
          {!book && !isPending && invitation}
        </div>
        {children}
      </div>
    </div>
  );
};
