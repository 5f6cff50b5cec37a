import { Fact } from '../components/fact.tsx';
import styles from './desk.module.css';

type FiguresProps = { label?: string; figures: Readonly<Record<string, string>> };

/** A few figures with their names, in a line. */
export const Figures = ({ label, figures }: FiguresProps) => (
  <dl className={`facts flow ${styles.figures}`} aria-label={label}>
    {Object.entries(figures).map(([name, figure]) => (
      <Fact key={name} name={name}>
        {figure}
      </Fact>
    ))}
  </dl>
);
