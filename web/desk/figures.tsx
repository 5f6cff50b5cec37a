import styles from './desk.module.css';

/** A few figures with their names, in a line. */
export const Figures = ({
  label,
  figures,
}: {
  label?: string;
  figures: Readonly<Record<string, string>>;
}) => (
  <dl className={`facts flow ${styles.figures}`} aria-label={label}>
    {Object.entries(figures).map(([name, figure]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{figure}</dd>
      </div>
    ))}
  </dl>
);
