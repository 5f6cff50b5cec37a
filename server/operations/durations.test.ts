import { expect, test } from 'vitest';
import { openDurations } from './durations.ts';

const open = () => openDurations('http_request_duration_seconds', 'How long requests took.');

const labels = { method: 'GET', route: '/books', status: 200 };
const series = 'method="GET",route="/books",status="200"';

test('a bucket counts every request that took no longer than its bound', () => {
  const durations = open();
  const record = durations.recorder(labels);

  for (const seconds of [0.0005, 0.001, 0.002, 60]) record(seconds);

  const lines = durations.text().split('\n');
  expect(lines).toContain(`http_request_duration_seconds_bucket{le="0.001",${series}} 2`);
  expect(lines).toContain(`http_request_duration_seconds_bucket{le="0.0025",${series}} 3`);
  expect(lines).toContain(`http_request_duration_seconds_bucket{le="10",${series}} 3`);
  expect(lines).toContain(`http_request_duration_seconds_bucket{le="+Inf",${series}} 4`);
  expect(lines).toContain(`http_request_duration_seconds_sum{${series}} 60.0035`);
  expect(lines).toContain(`http_request_duration_seconds_count{${series}} 4`);
});

test('two recorders of the same labels record into one series', () => {
  const durations = open();

  durations.recorder(labels)(0.1);
  durations.recorder({ ...labels })(0.1);
  durations.recorder({ ...labels, status: 304 })(0.1);

  const counts = durations.text().match(/_count\{.*/g);
  expect(counts).toEqual([`_count{${series}} 2`, '_count{method="GET",route="/books",status="304"} 1']);
});
