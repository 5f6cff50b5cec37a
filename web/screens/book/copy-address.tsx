import { useState } from 'react';
import { useIsPainted } from '../../components/use-is-painted.ts';
import { copyText } from '../../memory/platform-later.ts';
import styles from './book.module.css';

/** Copies the public address of the page. Where a browser does not let it, the address appears instead. */
export const CopyAddress = () => {
  const [outcome, setOutcome] = useState('');
  const isPainted = useIsPainted();
  const copy = async () => {
    const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    const address = canonical?.href ?? window.location.href;
    setOutcome((await copyText(address)) ? 'Copied' : address);
  };
  return (
    <>
      <button type="button" className={styles.link} onClick={copy} disabled={isPainted}>
        Copy link
      </button>
      <output className={styles.outcome}>{outcome}</output>
    </>
  );
};
