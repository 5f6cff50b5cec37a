const times = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** A point in time, as `21 Nov 2026, 14:05`, in UTC as all days of the desk. `iso` is ISO 8601. */
export const Time = ({ iso }: { iso: string }) => <time dateTime={iso}>{times.format(new Date(iso))}</time>;
