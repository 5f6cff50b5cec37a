/** Links that download a file each. They are not the router's: the store sends no page for them. */
export const ExportLinks = ({ label, links }: { label: string; links: Readonly<Record<string, string>> }) => (
  <p className="cluster">
    <span>{label}</span>
    {Object.entries(links).map(([name, address]) => (
      <a key={name} className="linkish" href={address} download aria-label={`${label} ${name}`}>
        {name}
      </a>
    ))}
  </p>
);
