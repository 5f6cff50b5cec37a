/** Links that each download a file. The router ignores them, because the store sends no page at their addresses. */
export const ExportLinks = ({
  label = 'Export as',
  links,
}: {
  label?: string;
  links: Readonly<Record<string, string>>;
}) => (
  <p className="cluster">
    <span>{label}</span>
    {Object.entries(links).map(([name, address]) => (
      <a key={name} className="linkish" href={address} download aria-label={`${label} ${name}`}>
        {name}
      </a>
    ))}
  </p>
);
