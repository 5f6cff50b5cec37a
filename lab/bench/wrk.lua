-- Sends the requests that standard input describes, as a Lua table: kinds with a weight, each with its requests as they go
-- over the connection, which are sent in turn. Each `<key>` becomes a new UUID. The first argument seeds the random numbers, the
-- second is how long a connection waits before each request, in milliseconds.

local function newKey()
  local random = math.random
  return string.format('%08x-%04x-4%03x-8%03x-%06x%06x', random(0, 0xffffffff), random(0, 0xffff),
    random(0, 0xfff), random(0, 0xfff), random(0, 0xffffff), random(0, 0xffffff))
end

local thread
function setup(only) thread = only end

function init(args)
  refused = 0
  math.randomseed(tonumber(args[1]))
  local delayMs = tonumber(args[2])
  if delayMs > 0 then
    function delay() return math.random(0, 2 * delayMs) end
    function response(status) if status == 503 then refused = refused + 1 end end
  end
  local kinds = dofile()
  local first = kinds[1][1]
  if #kinds == 1 and #kinds[1] == 1 and not first:find('<key>', 1, true) then
    -- Without a function `request` wrk repeats one text, which costs it least.
    wrk.format = function() return first end
    return
  end
  local byWeight = {}
  for _, kind in ipairs(kinds) do
    kind.sent = 0
    for _ = 1, kind.weight do table.insert(byWeight, kind) end
  end
  function request()
    local kind = byWeight[math.random(#byWeight)]
    kind.sent = kind.sent % #kind + 1
    return (kind[kind.sent]:gsub('<key>', newKey, 1))
  end
end

-- Prints wrk's own figures as one line of JSON, the last one. Times of responses are microseconds.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"responses": %d, "seconds": %f, "p50": %f, "p99": %f, "failures": %d, "refused": %d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout, thread:get('refused')))
end
