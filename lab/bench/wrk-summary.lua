-- Prints wrk's own figures as one line of JSON, the last one. Times are microseconds.
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"responses": %d, "seconds": %f, "p50": %f, "p99": %f, "max": %f, "failures": %d}\n',
    summary.requests, summary.duration / 1e6,
    latency:percentile(50), latency:percentile(99), latency.max,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
