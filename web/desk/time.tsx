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

/** The day of a point in time; the tooltip has the hour, and UTC. */
export const Day = ({ iso }: { iso: string }) => (
  <time dateTime={iso} title={`${times.format(new Date(iso))}; ${utcOf(iso)}`}>
    {days.format(new Date(iso))}
  </time>
);

/** The hour of a point in time of today; of others the day. */
export const DayOrHour = ({ iso }: { iso: string }) => {
  const isToday = days.format(new Date(iso)) === days.format(storeNow());
  return isToday ? (
    <time dateTime={iso} title={utcOf(iso)}>
      {hours.format(new Date(iso))}
    </time>
  ) : (
    <Day iso={iso} />
  );
};

/** A point in time in the shop's time zone, such as `21 Nov 2026, 14:05`; the tooltip has it in UTC. `iso` is ISO 8601. */
export const Time = ({ iso }: { iso: string }) => (
  <time dateTime={iso} title={utcOf(iso)}>
    {times.format(new Date(iso))}
  </time>
);
