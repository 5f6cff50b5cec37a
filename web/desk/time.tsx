import { storeConfig } from '../store-config.ts';

const formatter = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });

/** The zone of the shop's clocks. A browser may be older than a zone's name. */
export const shopZone = (() => {
  try {
    formatter(storeConfig.timeZone);
    return storeConfig.timeZone;
  } catch {
    return 'UTC';
  }
})();

const times = formatter(shopZone);

/** A point in time by the clocks of the shop, as `21 Nov 2026, 14:05`; its title has it in UTC. `iso` is ISO 8601. */
export const Time = ({ iso }: { iso: string }) => (
  <time dateTime={iso} title={`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}>
    {times.format(new Date(iso))}
  </time>
);
