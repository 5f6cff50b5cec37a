import { storeNow } from '../api/store-clock.ts';
import { attempt } from '../memory/platform.ts';
import { storeConfig } from '../store-config.ts';

const formatter = (timeZone: string, timeStyle?: 'short') =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle, timeZone });

/** The shop's time zone. An old browser may not know its name. */
export const shopZone = attempt(() => formatter(storeConfig.timeZone) && storeConfig.timeZone) ?? 'UTC';

const times = formatter(shopZone, 'short');
const days = formatter(shopZone);
const hours = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: shopZone });

const utcOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** The day of a point in time, without this year, or the hour of today; the tooltip has both, and UTC. */
export const Day = ({ iso }: { iso: string }) => {
  const at = new Date(iso);
  const [day, today] = [days.format(at), days.format(storeNow())];
  return (
    <time className="soft" dateTime={iso} title={`${times.format(at)}; ${utcOf(iso)}`}>
      {day === today ? hours.format(at) : day.replace(today.slice(-5), '')}
    </time>
  );
};

/** A point in time in the shop's time zone, such as `21 Nov 2026, 14:05`; the tooltip has it in UTC. `iso` is ISO 8601. */
export const Time = ({ iso }: { iso: string }) => (
  <time dateTime={iso} title={utcOf(iso)}>
    {times.format(new Date(iso))}
  </time>
);
