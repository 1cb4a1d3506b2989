
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"per_second":%.1f,"errors":%.0f,"p50_us":%.0f,"p99_us":%.0f}\n',
    summary.requests / (summary.duration / 1e6),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
